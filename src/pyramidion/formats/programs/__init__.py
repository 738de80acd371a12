"""What other programs that evaluate summaries read and write: SIMetrix, PyrEval, sacrerouge."""
