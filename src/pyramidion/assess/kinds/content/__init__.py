"""Questions about drawn SCUs: is the content of an SCU in a summary, and where?

The spec names the draw of the sample (`draw`), the pyramid (`pyramid`, by its annotator), summaries by handle, and the
questions by number, in the order in which they are asked (`asked`: [SCU, handle]); `order` says what is asked together.
The state holds `answer/SCU/HANDLE` for each question that was answered: {present: true, false or null (unsure), parts},
where parts are the words that say it, if they were marked.
"""
