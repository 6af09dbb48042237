/** The largest sitemap that is read, in bytes, also when it is unpacked. */
export const sitemapMaxBytes = 10 * 1024 * 1024;
/** The most sitemaps of a website. */
export const maxSitemaps = 20;
