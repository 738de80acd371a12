"""Which measure to trust? A notebook for those who study measures: `marimo edit which_measure_to_trust.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Which measure to trust?")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md("""
    # Which measure to trust?

    How well do automatic measures agree with human scores, is one of them significantly better, and does a measure of
    your own do better still? Replace `"demo"` with your data.
    """)
    return (mo,)


@app.cell
def _():
    import pyramidion
    from pyramidion.campaign import plain
    from pyramidion.measures import from_function

    evaluation = pyramidion.Evaluation("demo")
    return evaluation, from_function, plain


@app.cell
def _(mo):
    mo.md("""
    ## A measure of your own

    A function of a summary and its topic is enough: here, the share of the references' longer words that the summary
    uses.
    """)
    return


@app.cell
def _(from_function, plain):
    def words(text):
        return {word for word in plain(text).lower().split() if len(word) > 7}

    def long_words(summary, topic):
        wanted = set().union(*(words(model.text) for model in topic.models))
        return len(wanted & words(summary.text)) / len(wanted)

    mine = from_function("long-words", long_words, needs=["models"])
    return (mine,)


@app.cell
def _(evaluation, mine):
    target = "question.overall-responsiveness"
    correlations = evaluation.correlate(
        ["rouge-1.recall", "rouge-2.recall", mine], with_=target, coefficient="pearson", test="williams"
    )
    correlations
    return correlations, target


@app.cell
def _(mo):
    mo.md("""
    ## A picture of it
    """)
    return


@app.cell
def _(correlations):
    from pyramidion.present import draw

    chart = draw(correlations)
    chart
    return


@app.cell
def _(mo):
    mo.md("""
    ## How many topics does the correlation need?
    """)
    return


@app.cell
def _(evaluation, target):
    topics = evaluation.study_topics("rouge-2.recall", with_=target, resamples=200)
    topics
    return


if __name__ == "__main__":
    app.run()
