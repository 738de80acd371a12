from pyramidion.present.chart import Chart as Chart
from pyramidion.present.chart import write_chart as write_chart
from pyramidion.reports.figures.kinds import draw as draw
