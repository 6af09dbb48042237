// The relay reads the package's own files, so it is not bundled.
export default { serverExternalPackages: ["visavis"] };
