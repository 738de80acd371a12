from pyramidion.assess.mail import Merged as Merged
from pyramidion.assess.server import export_work as export_work
from pyramidion.assess.server import merge_answers as merge_answers
from pyramidion.assess.server import organiser_link as organiser_link
from pyramidion.assess.server import serve as serve
