/** The name of the file in which the service stores a background image. */
export const backgroundFileName = (id: string): string => `background-${id}`;

/** The path of a stored image, for downloads and in its catalogue entry. */
export const backgroundFilePath = (id: string): string => `/api/v1/background_image/${id}/file/`;

/** The largest background image that is stored or read, in bytes. */
export const pictureMaxBytes = 2 * 1024 * 1024;
