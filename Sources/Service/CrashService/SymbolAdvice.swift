internal import CrashModel
package import CrashStore
internal import Identifiers

/// How to get the missing debug file of an image.
package struct SymbolAdvice: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// A build of the app: the file is where that was built.
    case build
    /// A library of an Apple system: available from the device, or a Mac with that system.
    case appleSystem = "apple-system"
    /// A package of a Linux distribution.
    case distribution
    case unknown
  }

  package let kind: Kind
  /// The instructions, one sentence per line.
  package let text: [String]
  /// The commands to run, in the order of the steps.
  package let commands: [String]
  /// The path on debuginfod servers.
  package var path: String?
  /// The package of the distribution.
  package var package: String?
  /// The folders in which Xcode stores it.
  package var folders: [String] = []

  private init(_ kind: Kind, _ text: [String], _ commands: [String]) {
    self.kind = kind
    self.text = text
    self.commands = commands
  }

  package init(for image: MissingImage) {
    if image.architecture == .javaScript || image.architecture == .cil {
      self.init(script: image)
      return
    }
    let isApple = Self.isApple(image)
    if image.architecture == .jvm {
      self.init(mapping: image)
    } else if isApple, Self.isAppleSystem(image) {
      self.init(appleSystem: image)
    } else if !isApple, let package = image.package {
      self.init(package, of: image)
    } else if !isApple, Self.isDistribution(image) {
      self.init(distribution: image)
    } else if image.isOwn || !image.builds.isEmpty && Self.isBundled(image) {
      self.init(build: image, isApple: isApple)
    } else {
      self.init(
        .unknown,
        ["The publisher of \(image.name.isEmpty ? "the image" : image.name) has its debug file."],
        ["mayday symbols add PATH"])
    }
  }

  // MARK: Origin

  private static let appleSystems = [
    "iOS", "iPhone OS", "iPadOS", "macOS", "Mac OS X", "OS X", "tvOS", "watchOS", "visionOS",
    "bridgeOS", "xrOS",
  ]

  private static func isApple(_ image: MissingImage) -> Bool {
    if let path = image.path, path.hasPrefix("/System/") || path.hasSuffix(".dylib") { return true }
    return image.systems.contains { appleSystems.contains($0.name) }
  }

  private static func isAppleSystem(_ image: MissingImage) -> Bool {
    guard let path = image.path else { return !image.isOwn }
    return ["/System/", "/usr/lib/", "/usr/libexec/", "/private/preboot/", "/Library/Apple/"]
      .contains { path.hasPrefix($0) }
  }

  private static func isDistribution(_ image: MissingImage) -> Bool {
    // Crashpad records only the names of libraries.
    guard let path = image.path, path.contains("/") else {
      return DistributionPackage.isKnown(image.name)
    }
    return [
      "/lib/", "/lib64/", "/lib32/", "/usr/lib/", "/usr/lib64/", "/usr/lib32/", "/usr/libexec/",
    ]
    .contains { path.hasPrefix($0) }
  }

  /// Whether the image is in the app's folder or bundle.
  private static func isBundled(_ image: MissingImage) -> Bool {
    image.path?.contains(".app/") == true
  }

  // MARK: What to do

  private init(build image: MissingImage, isApple: Bool) {
    kind = .build
    let builds = Self.list(image.builds.map { Self.name($0.release) })
    let of = builds.isEmpty ? "" : " of \(builds)"
    let name = image.name.isEmpty ? "the program" : image.name
    if isApple {
      text = ["The dSYM of \(name) in the archive\(of)."]
      commands = ["mayday symbols add \(Self.bundle(image)).xcarchive"]
    } else {
      let id = image.codeID.map { " with build id \($0)" } ?? ""
      text =
        ["The unstripped \(name), or its .debug file,\(id) from the build\(of)."]
        + (image.debugID == nil
          ? ["Link with --build-id so that reports identify their build."] : [])
      commands = ["mayday symbols add BUILD-FOLDER"]
    }
  }

  /// Creates the advice for code obfuscated by R8 or ProGuard.
  private init(mapping image: MissingImage) {
    kind = .build
    let builds = image.builds.map(\.release).filter { !$0.version.isEmpty }
    let of = builds.isEmpty ? "" : " of \(Self.list(builds.map { Self.name($0) }))"
    let location = "The mapping of the build\(of): build/outputs/mapping/VARIANT/mapping.txt."
    let how = "The reports name neither the mapping nor a version: ingest them with it."
    text = image.debugID == nil ? [location, how] : [location]
    if image.debugID == nil {
      commands = ["mayday ingest REPORTS --symbols mapping.txt"]
    } else if let build = image.builds.first(where: { !$0.release.version.isEmpty }) {
      let (app, release) = (build.app, build.release.name)
      commands = ["mayday symbols add mapping.txt --app '\(app)' --release '\(release)'"]
    } else {
      commands = ["mayday symbols add mapping.txt"]
    }
  }

  private init(appleSystem image: MissingImage) {
    kind = .appleSystem
    folders = image.systems.compactMap(Self.deviceSupport)
    let names = Self.list(
      image.systems.map { "\($0.name) \(Release(version: $0.version, build: $0.build).name)" })
    if let folder = folders.first, let slash = folder.firstIndex(of: "/") {
      text = ["Part of \(names); Xcode copies it from a device with that system:"]
      commands = [
        "cd ~/'Library/Developer/Xcode/\(folder[..<slash])'",
        "mayday symbols add '\(folder[folder.index(after: slash)...])'",
      ]
    } else {
      let system = names.isEmpty ? "the system" : names
      text = [
        "Part of \(system): in the dyld shared cache of a Mac with that system, from which"
          + " dyld-shared-cache-extractor takes it."
      ]
      commands = ["mayday symbols add EXTRACTED-FOLDER"]
    }
  }

  /// - Parameter installed: The package it was installed from, according to the binary.
  private init(_ installed: ImagePackage, of image: MissingImage) {
    kind = .distribution
    var lines = ["From the package \(installed.text)."]
    if let name = DistributionPackage.debugPackage(of: image.name, in: installed) {
      package = name
      lines.append("Debug information: \(name)")
    } else if installed.type == "deb" {
      lines.append("Debug information: in the -dbgsym package of the same source and version")
    }
    let server = installed.debugInfoServer
    if let server { lines.append("debuginfod server: \(server)") }
    text = lines
    if let id = image.codeID {
      path = "/buildid/\(id)/debuginfo"
      let command = "debuginfod-find debuginfo \(id)"
      commands = [
        "mayday symbols add \"$(\(server.map { "DEBUGINFOD_URLS=\($0) " } ?? "")\(command))\""
      ]
    } else {
      commands = ["mayday symbols add /usr/lib/debug"]
    }
  }

  private init(distribution image: MissingImage) {
    kind = .distribution
    let system = image.systems.first
    package = DistributionPackage.debugPackage(of: image.name, system: system?.name ?? "")
    let names = image.systems.prefix(1).map { "\($0.name) \($0.version)" }.first.map { " of \($0)" }
    var lines = ["A library of the distribution\(names ?? "")."]
    if let package { lines.append("Package: \(package)") }
    if let id = image.codeID {
      path = "/buildid/\(id)/debuginfo"
      text = lines
      commands = ["mayday symbols add \"$(debuginfod-find debuginfo \(id))\""]
    } else {
      text = lines
      commands = ["mayday symbols add /usr/lib/debug"]
    }
  }

  /// `iOS DeviceSupport/iPhone15,2 17.5.1 (21F90)`, as Xcode names the folder; macOS has none.
  private static func deviceSupport(_ system: MissingImage.System) -> String? {
    let platforms = [
      "iOS": "iOS", "iPhone OS": "iOS", "iPadOS": "iOS", "tvOS": "tvOS", "watchOS": "watchOS",
      "visionOS": "xrOS", "xrOS": "xrOS",
    ]
    guard let platform = platforms[system.name], !system.version.isEmpty else { return nil }
    let name = Release(version: system.version, build: system.build).name
    return "\(platform) DeviceSupport/" + (system.model.isEmpty ? "" : "\(system.model) ") + name
  }

  private static func name(_ release: Release) -> String {
    release.build.isEmpty
      ? "version \(release.version)"
      : release.version.isEmpty
        ? "build \(release.build)" : "version \(release.version) (build \(release.build))"
  }

  private static func bundle(_ image: MissingImage) -> String {
    guard let app = image.builds.first?.app, app.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return "App"
    }
    return app
  }

  /// Returns the first three, and the number of further ones; the newest comes last.
  private static func list(_ names: [String]) -> String {
    let shown = names.suffix(3)
    let more = names.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension SymbolAdvice {
  /// Creates the advice for a script, or for a .NET library.
  private init(script image: MissingImage) {
    let build = image.builds.last { !$0.release.version.isEmpty }
    let of = build.map { " of \(Self.name($0.release))" } ?? ""
    guard image.architecture == .javaScript else {
      self.init(
        .build, ["The portable PDB of \(image.name) from the build\(of)."],
        ["mayday symbols add BUILD-FOLDER"])
      return
    }
    var text = ["The source map of \(image.name) from the build\(of)."]
    var command = "mayday symbols add \(image.name).map"
    if let build {
      command += " --app '\(build.app)' --release '\(build.release.name)'"
    } else if image.debugID == nil {
      text.append("The reports name neither the map nor a version: give the map with them.")
      command = "mayday symbolicate REPORT --symbols \(image.name).map"
    }
    self.init(.build, text, [command])
  }
}
