"""What did the assessors say, and do they agree? A notebook for organisers: `marimo edit look_at_assessors.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="What did the assessors say?")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md("""
    # What did the assessors say?

    Human scores are in. Before you rank systems by them, look at them. Replace `"demo"` with the folder of your
    campaign; the human scores of the demo campaign are simulated.
    """)
    return (mo,)


@app.cell
def _():
    import pyramidion

    evaluation = pyramidion.Evaluation("demo")
    problems = pyramidion.check("demo")
    problems
    return (evaluation,)


@app.cell
def _(mo):
    mo.md("""
    ## How often each answer was given
    """)
    return


@app.cell
def _(evaluation):
    frequencies = evaluation.judgment_frequencies()
    frequencies
    return


@app.cell
def _(mo):
    mo.md("""
    ## Do the assessors agree?
    """)
    return


@app.cell
def _(evaluation):
    agreement = evaluation.judgment_agreement()
    agreement
    return


@app.cell
def _(mo):
    mo.md("""
    ## Which systems are better, for these assessors and for others?

    Systems that share a letter do not differ significantly.
    """)
    return


@app.cell
def _(evaluation):
    ranking = evaluation.compare("question.overall-responsiveness")
    ranking
    return


if __name__ == "__main__":
    app.run()
