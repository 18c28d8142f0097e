package import CrashModel

extension DistributionPackage {
  /// Returns the package with the debug information of a library whose own package is known, as named in
  /// install commands; `nil` if the name of the source package does not determine it.
  ///
  /// Fedora names it after the source package. Debian names it after the binary package, which only the table
  /// has; both use the version of the source package.
  package static func debugPackage(of library: String, in package: ImagePackage) -> String? {
    switch package.type {
    case "rpm":
      let architecture = package.architecture.map { ".\($0)" } ?? ""
      return "\(package.name)-debuginfo" + (package.version.map { "-\($0)\(architecture)" } ?? "")
    case "deb":
      guard let name = debianPackage(of: library) else { return nil }
      return name + (package.version.map { "=\($0)" } ?? "")
    default: return nil
    }
  }
}

extension ImagePackage {
  /// `glibc 2.39-6.fc40 (rpm, x86_64, fedora 40)`
  package var text: String {
    let facts = [type, architecture, os ?? osCPE].compactMap(\.self)
    return [name, version, facts.isEmpty ? nil : "(\(facts.joined(separator: ", ")))"]
      .compactMap(\.self).joined(separator: " ")
  }

  /// The debuginfod server's address, if it is safe on a command line: it was chosen by the creator of the
  /// binary.
  package var debugInfoServer: String? {
    guard let url = debugInfoURL, url.utf8.count <= 256,
      ["https://", "http://"].contains(where: url.hasPrefix),
      url.utf8.allSatisfy({ Self.plain.contains($0) })
    else { return nil }
    return url
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/%".utf8)
}
