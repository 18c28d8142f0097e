public import CrashModel
internal import CrashStore

extension CrashReport {
  /// The name of an app without a given one: from the report, its executable, or its identifier.
  ///
  /// Libraries and threads do not name an app: a report with only these gets `unknown`.
  public var appName: String {
    for name in [app.name, process.name, process.path, mainImage?.name] {
      if let name = name.flatMap({ ProgramName(whole($0)).app }).flatMap(AppName.valid) {
        return name
      }
    }
    return app.identifier.flatMap { ProgramName.isMissing($0) ? nil : AppName.valid(from: $0) }
      ?? AppName.unnamed
  }

  /// The first image that is neither a library nor in a system folder. Reporters list the executable first.
  private var mainImage: LoadedImage? {
    images.first { image in
      guard let path = image.path, !image.isLibrary else { return false }
      return !["/System/", "/usr/lib"].contains(where: path.hasPrefix)
    }
  }

  /// Returns the full form of `name`. The systems truncate a program's name to 15 or 16 bytes.
  ///
  /// Source: `TASK_COMM_LEN` of Linux, `MAXCOMLEN` of Darwin.
  private func whole(_ name: String) -> String {
    guard (15...16).contains(name.utf8.count) else { return name }
    let files =
      [process.path.map { ProgramName.file(of: $0) }]
      + images.map { image in
        image.isLibrary ? nil : image.name
      }
    return files.lazy.compactMap(\.self).first { $0.hasPrefix(name) } ?? name
  }
}

/// A program's file name, and the app's name in it.
struct ProgramName {
  /// The app's name; `nil` if it is a library's, or says nothing.
  let app: String?

  init(_ name: String) {
    let file = Self.file(of: name)
    guard !Self.isMissing(file), !LoadedImage.isLibrary(named: file) else {
      app = nil
      return
    }
    let stem = Self.withoutConfiguration(Self.withoutVersion(Self.withoutEnding(file)))
    app = stem.isEmpty ? nil : String(stem)
  }

  /// Returns the last component of a path.
  static func file(of path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }

  /// Whether a name is a placeholder that reporters use for unknown names.
  static func isMissing(_ name: String) -> Bool {
    ["", "?", "??", "???", "(null)", "null", "<unknown>", "unknown"].contains(name)
      || !name.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }

  private static func withoutEnding(_ name: String) -> Substring {
    name.lowercased().hasSuffix(".exe") ? name.dropLast(4) : name[...]
  }

  /// Returns `tern` for `tern-1.0.0-gcc-O2`: what follows the version in a file name belongs to the build,
  /// and changes with every release.
  private static func withoutVersion(_ name: Substring) -> Substring {
    var index = name.startIndex
    while index < name.endIndex {
      defer { index = name.index(after: index) }
      guard index > name.startIndex, "-_ ".contains(name[index]) else { continue }
      var rest = name[name.index(after: index)...]
      if rest.first == "v" { rest = rest.dropFirst() }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(digits.count)
      if !digits.isEmpty, after.first == ".", after.dropFirst().first?.isNumber == true {
        return name[..<index]
      }
    }
    return name
  }

  /// Returns `tern` for `tern-debug`: two configurations of one app.
  private static func withoutConfiguration(_ name: Substring) -> Substring {
    for ending in ["-debug", "_debug", "-release", "_release"]
    where name.count > ending.count && name.lowercased().hasSuffix(ending) {
      return name.dropLast(ending.count)
    }
    return name
  }
}
