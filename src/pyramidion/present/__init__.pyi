from pyramidion.present.chart import Chart as Chart
from pyramidion.present.chart import write_chart as write_chart
from pyramidion.present.registry import draw as draw
