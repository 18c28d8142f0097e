package import Pipeline

/// Debug files among the paths of crash reports, for a command whose `--symbols` was forgotten.
package struct ForgottenSymbols {
  /// The most paths that the hint names.
  private static let mostPaths = 4

  private let paths: [String]
  private let count: Int

  /// - Parameters:
  ///   - paths: The paths of the reports, as given.
  ///   - refused: The files under them that are not reports.
  ///   - missing: The images without symbols.
  package init(paths: [String], _ refused: [RefusedFile], missing: [MissingSymbols]) {
    let files = refused.filter { $0.kind == .debugFile }.map(\.source)
    count = missing.contains(where: \.isOwn) ? files.count : 0
    self.paths = paths.filter { path in
      path != "-" && files.contains { Self.isUnder(path, $0) }
    }
  }

  /// `192 of the files are debug files; use them with: --symbols Symbols`; `nil` if there are none, or no
  /// symbols are missing.
  package var hint: String? {
    guard count > 0, !paths.isEmpty else { return nil }
    let files =
      count == 1 ? "1 of the files is a debug file" : "\(count) of the files are debug files"
    let options = paths.prefix(Self.mostPaths).map { "--symbols " + Self.quoted($0) }
    let more = paths.count > Self.mostPaths ? " ..." : ""
    return "\(files); to use \(count == 1 ? "it" : "them"), add "
      + options.joined(separator: " ") + more
  }

  private static func isUnder(_ path: String, _ file: String) -> Bool {
    guard file != path else { return true }
    let folder = path.hasSuffix("/") ? path : path + "/"
    // Members of archives are named after the archive.
    return file.hasPrefix(folder) || file.hasPrefix(path + ":") || file.hasPrefix(path + "!")
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "._-+/@,:=".unicodeScalars.contains($0)
    }
    return isPlain && !path.isEmpty ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
