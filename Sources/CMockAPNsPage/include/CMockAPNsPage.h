// The files of the inspector's page in web/, and the documents that it shows, embedded in the program.
#ifndef MOCKAPNS_PAGE_H
#define MOCKAPNS_PAGE_H

#include <stddef.h>

/// One file of the page.
struct mockapns_page_file {
    /// Its path below web/, or the name of the document.
    const char *path;
    /// Its media type.
    const char *content_type;
    const unsigned char *bytes;
    size_t count;
};

/// Returns all files and sets their count. The array is never freed.
const struct mockapns_page_file *mockapns_page_files(size_t *count);

/// Returns the files of the joined page, compressed with gzip, and sets their count: none if the build did not join the
/// page, or if a file below web/ has changed since. The array is never freed.
const struct mockapns_page_file *mockapns_page_joined_files(size_t *count);

#endif
