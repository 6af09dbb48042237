/** Background images that the service keeps: the name of their file, and the path that their catalogue entry names. */
export const backgroundFileName = (id: string): string => `background-${id}`;

/** The path at which a kept image is downloaded. */
export const backgroundFilePath = (id: string): string => `/api/v1/background_image/${id}/file/`;

/** The largest background image that is kept or read, in bytes. */
export const pictureMaxBytes = 2 * 1024 * 1024;
