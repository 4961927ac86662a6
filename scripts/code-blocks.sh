# The code in the documents, for the scripts that source this file and check it.
# shellcheck shell=bash

# Writes each block of a language in any document, also those in lists, into a file of its own in a folder, at the line where the document has it: `code_blocks
# FOLDER EXTENSION LANGUAGE..`. Of `html`, that is what its module scripts have.
code_blocks() {
    local folder=$1 extension=$2 document
    rm -rf "$folder"
    mkdir -p "$folder"
    while IFS= read -r document; do
        awk -v languages=" ${*:3} " -v name="$folder/$(tr -c '[:alnum:]\n' _ <<<"${document#./}")" -v extension="$extension" '
            /^ *```/ && file != "" { close(file); file = ""; next }
            /^ *```/ {
                language = substr($1, 4)
                indent = index($0, "`") - 1
                is_html = language == "html"
                is_code = !is_html
                if (index(languages, " " language " ")) {
                    file = name "_" NR "." extension
                    for (line = 1; line <= NR; line++) print "" > file
                } else if (language != "") file = "/dev/null"
                next
            }
            file == "" { next }
            is_html && /<\/script>/ { is_code = 0 }
            { print (is_code ? substr($0, indent + 1) : "") > file }
            is_html && /<script type="module">/ { is_code = 1 }
        ' "$document"
    done < <(find . -name '*.md' -not -path './target/*' -not -path '*/node_modules/*' | sort)
}
