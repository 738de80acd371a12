#!/bin/sh
# The tests compare with ROUGE-1.5.5 itself where perl has XML::DOM. As root on Debian the module is installed; elsewhere, or
# when that fails, those tests are skipped with a message.
if command -v perl >/dev/null && ! perl -MXML::DOM -e 1 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing libxml-dom-perl, to compare with ROUGE-1.5.5"
        { apt-get update -qq && apt-get install -y -qq -o DPkg::Lock::Timeout=300 libxml-dom-perl; } >/dev/null 2>&1 || echo "it could not be installed"
    fi
fi
exit 0
