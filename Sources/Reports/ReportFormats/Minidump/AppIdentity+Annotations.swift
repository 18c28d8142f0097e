internal import CrashModel

extension AppIdentity {
  /// Sets the app and its version from the annotations of a client of Crashpad or Breakpad.
  ///
  /// Electron's own name and version are `prod` and `ver`, those of the app have other names. The names are
  /// those of Crashpad's, Electron's and Mozilla's clients.
  mutating func takeAnnotations(_ annotations: [String: String]) {
    func value(_ names: String...) -> String? {
      names.compactMap { annotations[$0] }.first { !$0.isEmpty }
    }
    name = value("_productName", "ProductName", "product", "prod") ?? name
    version = value("_version", "Version", "version", "ver") ?? version
    build = value("BuildID") ?? build
  }
}
