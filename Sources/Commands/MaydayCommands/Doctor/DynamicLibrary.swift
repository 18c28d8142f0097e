import Glibc

/// A library that is loaded when it is first needed, so that only then its absence would show.
struct DynamicLibrary {
  /// All libraries, by the file names that the shims of the C targets load.
  static let all = [
    DynamicLibrary(file: "libcrypto.so.3", package: "libssl3", use: "digests"),
    DynamicLibrary(file: "libarchive.so.13", package: "libarchive13", use: "archives"),
    DynamicLibrary(file: "libmicrohttpd.so.12", package: "libmicrohttpd12", use: "the server"),
    DynamicLibrary(file: "libcurl.so.4", package: "libcurl4", use: "uploads"),
    DynamicLibrary(
      file: "libqrencode.so.4", package: "libqrencode4", use: "QR codes of install pages",
      isNeeded: false),
  ]

  let file: String
  /// Name of the Debian package.
  let package: String
  let use: String
  /// Whether what it is for fails without it.
  var isNeeded = true

  var finding: DoctorFinding {
    if let handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL) {
      dlclose(handle)
      return .fine("library", "\(file), for \(use)")
    }
    let reason = dlerror().map { String(cString: $0) } ?? file
    let remedy = "apt-get install \(package)"
    guard isNeeded else { return .warning("library", "\(reason); without it no \(use)", remedy) }
    return .failed("library", "\(reason); it is needed for \(use)", remedy)
  }
}
