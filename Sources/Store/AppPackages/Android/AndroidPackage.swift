internal import Bytes
internal import ObjectFormats
internal import Updates
internal import ZipFiles

/// An Android app in a zip file.
struct AndroidPackage {
  let archive: AppArchive
  let manifest: String
  let resources: any AndroidResources
  /// Prefix of the paths of resources, and of the folders of libraries and code.
  let root: String

  // MARK: APK

  /// Reads an app in the form that Android installs.
  static func readAPK(
    _ bytes: ByteView, file: String
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(
      bytes, file: file, allowing: .init(unlistedMembers: true, letterCase: true))
    let name = "AndroidManifest.xml"
    guard let member = archive[name] else { throw archive.error(name, "it is missing") }
    let text = try archive.contents(of: member)
    let root = try archive.reading(name) { () throws(ParseError) in
      try BinaryManifest.root(of: text)
    }
    var package = AppPackage(.apk)
    let app = AndroidPackage(
      archive: archive, manifest: name, resources: Self.table(archive, &package), root: "")
    return try app.read(root, package)
  }

  private static func table(
    _ archive: AppArchive, _ package: inout AppPackage
  ) -> any AndroidResources {
    let name = "resources.arsc"
    guard let member = archive[name] else { return NoAndroidResources() }
    do throws(AppPackageError) {
      let bytes = try archive.contents(of: member, limit: AppPackageLimits.resourceBytes)
      return try archive.reading(name) { () throws(ParseError) in
        try ResourceTable(parsing: bytes)
      }
    } catch {
      package.note("\(name): \(error.reason)")
      return NoAndroidResources()
    }
  }

  // MARK: Manifest

  func read(
    _ root: AndroidElement, _ package: AppPackage
  ) throws(AppPackageError) -> AppPackageReader.Result {
    var package = package
    guard root.name == "manifest" else {
      throw archive.error(manifest, "the root is <\(root.name.shown)>, not <manifest>")
    }
    if let split = root["split"], case .string(let name) = split {
      throw archive.error(
        manifest, "a part of an app (\(name.shown)): upload the bundle, or an APK with all of it")
    }
    package.identifier = try wanted("package", root["package"])
    package.version = try wanted("versionName", root[.versionName])
    package.build = try wanted("versionCode", root[.versionCode])
    guard package.build.flatMap({ Int32($0) }) != nil else {
      throw archive.error(manifest, "versionCode \(package.build ?? "") is not a number of 32 bits")
    }
    package.minimumOS = minimumLevel(root, &package)
    var icon: ByteView?
    if let application = root.all("application").first {
      package.name = name(application, &package)
      icon = self.icon(application, &package)
    }
    package.hashes = [BuildHash.android(package.identifier ?? "", of: package.release)]
    readLibraries(into: &package)
    readCode(into: &package)
    return AppPackageReader.Result(package: package, icon: icon)
  }

  /// The text of an attribute, or of the resource that it refers to.
  private func text(_ value: AndroidValue?) throws(ParseError) -> String? {
    guard let value else { return nil }
    switch try resources.resolve(value) {
    case .string(let text): return text.trimmed
    case .integer(let number): return String(Int32(bitPattern: number))
    default: return nil
    }
  }

  private func wanted(
    _ key: String, _ value: AndroidValue?
  ) throws(AppPackageError) -> String {
    let found = try archive.reading(manifest) { () throws(ParseError) in try text(value) }
    guard let found, !found.isEmpty else {
      throw archive.error(manifest, value == nil ? "no \(key)" : "\(key) refers to nothing")
    }
    try AppText.check(found, key) { archive.error(manifest, $0) }
    return found
  }

  /// The highest of the given levels, as each of them must be met; 1 if there is none.
  private func minimumLevel(_ root: AndroidElement, _ package: inout AppPackage) -> String {
    var level = 1
    var codename: String?
    for element in root.all("uses-sdk") {
      guard let value = element[.minSdkVersion] else { continue }
      do {
        guard let text = try text(value), !text.isEmpty else { continue }
        if let number = Int(text) {
          level = max(level, number)
        } else if let known = AndroidCodename.levels[text] {
          level = max(level, known)
        } else {
          try AppText.check(text, "minSdkVersion") { archive.error(manifest, $0) }
          codename = text
        }
      } catch {
        package.note("minSdkVersion: \(error)")
      }
    }
    if let codename { package.note("minSdkVersion is the codename \(codename), of no known level") }
    return codename ?? String(level)
  }

  private func name(_ application: AndroidElement, _ package: inout AppPackage) -> String? {
    do throws(ParseError) {
      guard let text = try text(application[.label]), !text.isEmpty else { return nil }
      return text.shown
    } catch {
      package.note("label: \(error)")
      return nil
    }
  }

  /// The largest icon that is a PNG file.
  private func icon(_ application: AndroidElement, _ package: inout AppPackage) -> ByteView? {
    guard let value = application[.icon] else { return nil }
    do {
      let files = try resources.files(value)
      for path in files where path.hasSuffix(".png") {
        guard let member = archive[root + path] else { continue }
        let bytes = try archive.contents(of: member, limit: AppPackageLimits.iconBytes)
        return try AppIcon.plainPNG(bytes)
      }
      if !files.isEmpty { package.note("icon: no PNG file among \(files.count)") }
    } catch {
      package.note("icon: \(error)")
    }
    return nil
  }
}

/// Codenames of systems that have since got a number, used by apps built before that.
///
/// Source: Android, "Codenames, tags, and build numbers".
enum AndroidCodename {
  static let levels = [
    "M": 23, "N": 24, "O": 26, "P": 28, "Q": 29, "R": 30, "S": 31, "Sv2": 32, "Tiramisu": 33,
    "UpsideDownCake": 34, "VanillaIceCream": 35, "Baklava": 36,
  ]
}
