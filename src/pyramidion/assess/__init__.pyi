from pyramidion.assess.web.mail import ExportedWork as ExportedWork
from pyramidion.assess.web.mail import Merged as Merged
from pyramidion.assess.web.server import export_work as export_work
from pyramidion.assess.web.server import merge_answers as merge_answers
from pyramidion.assess.web.server import organiser_link as organiser_link
from pyramidion.assess.web.server import serve as serve
