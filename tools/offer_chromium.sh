#!/bin/sh
# Reports are opened in Chromium by the tests of pages. As root on Debian it is installed; elsewhere, or when that fails,
# those tests are skipped with a message.
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing chromium, to look at reports in a browser"
    install="apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends"
    # Without its window, Chromium takes half of the processor time; older systems have it with its window only.
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive && export DEBIAN_FRONTEND && { $install chromium-headless-shell || $install chromium; }; } \
        >/dev/null 2>&1 || echo "it could not be installed"
fi
exit 0
