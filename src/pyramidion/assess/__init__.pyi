from pyramidion.assess.server import serve as serve
