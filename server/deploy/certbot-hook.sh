#!/bin/sh
# certbot's key is root's alone. This gives the user `nuwa` a copy, now and after each renewal; the server notices by itself.
#
#     install -m 755 server/deploy/certbot-hook.sh /etc/letsencrypt/renewal-hooks/deploy/nuwa-stream
#     RENEWED_LINEAGE=/etc/letsencrypt/live/demo.example /etc/letsencrypt/renewal-hooks/deploy/nuwa-stream
set -eu
folder=/etc/nuwa-stream
install -d -m 750 -g nuwa "$folder"
install -m 640 -g nuwa "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" "$folder"
