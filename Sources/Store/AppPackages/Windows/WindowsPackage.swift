internal import Bytes
internal import ObjectFormats
internal import Updates
internal import ZipFiles
internal import XML

/// A Windows package: a zip file with a manifest, or one that holds several such packages.
///
/// Source: Microsoft, "App package manifest" and "Bundle manifest schema reference".
struct WindowsPackage {
  private static let tolerance = ZipFile.Tolerance(unlistedMembers: false, letterCase: false)
  private static let manifest = "AppxManifest.xml"
  private static let bundleManifest = "AppxMetadata/AppxBundleManifest.xml"

  let archive: AppArchive

  // MARK: One package

  /// Reads one package: `.msix`, `.appx`.
  static func read(
    _ bytes: ByteView, file: String, as kind: ArtefactKind
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(bytes, file: file, allowing: tolerance)
    return try WindowsPackage(archive: archive).read(as: kind)
  }

  private func read(as kind: ArtefactKind) throws(AppPackageError) -> AppPackageReader.Result {
    let root = try document(Self.manifest, root: "Package")
    var package = AppPackage(kind)
    let identity = try identity(of: root, in: Self.manifest)
    package.identifier = identity.name
    package.version = identity.version
    package.build = identity.version
    let properties = root.first("Properties")
    package.name = try shownName(properties?.first("DisplayName")?.text, &package)
    let dependencies = root.first("Dependencies")
    let families = dependencies?.children.filter { $0.name == "TargetDeviceFamily" } ?? []
    let oldest =
      families.compactMap { $0.attributes["MinVersion"] }.first
      ?? root.first("Prerequisites")?.first("OSMinVersion")?.text.trimmed
    if let oldest {
      try AppText.check(oldest, "MinVersion") { archive.error(Self.manifest, $0) }
      package.minimumOS = oldest
    }
    package.deviceFamilies = families.compactMap { $0.attributes["Name"]?.shown }
    readBinaries(identity.architecture, into: &package)
    let icon = logo(properties?.first("Logo")?.text, &package)
    return AppPackageReader.Result(package: package, icon: icon)
  }

  // MARK: Several packages

  /// Reads a bundle, `.msixbundle` or `.appxbundle`: packages for several processors and languages,
  /// and a list of them.
  static func readBundle(
    _ bytes: ByteView, file: String, as kind: ArtefactKind, in outer: String? = nil
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(bytes, file: file, in: outer, allowing: tolerance)
    let bundle = WindowsPackage(archive: archive)
    let root = try bundle.document(bundleManifest, root: "Bundle")
    let identity = try bundle.identity(of: root, in: bundleManifest)
    let listed = (root.first("Packages")?.children ?? []).filter {
      $0.name == "Package" && $0.attributes["Type"] == "application"
    }
    var result: AppPackageReader.Result?
    for (number, element) in listed.enumerated() {
      guard number < AppPackageLimits.innerPackages else {
        result?.package.note("more than \(AppPackageLimits.innerPackages) packages")
        break
      }
      guard let name = element.attributes["FileName"]?.replacing("\\", with: "/") else {
        throw archive.error(bundleManifest, "a package without a FileName")
      }
      guard let member = archive[name] else {
        throw archive.error(name, "it is in the list of packages, but missing")
      }
      let inner = try bundle.inner(member, as: kind)
      guard inner.package.identifier == identity.name else {
        throw archive.error(
          name, "it is \(inner.package.identifier ?? ""), and the bundle \(identity.name)")
      }
      if var first = result {
        first.package.binaries += inner.package.binaries
        first.icon = first.icon ?? inner.icon
        result = first
      } else {
        result = inner
      }
    }
    guard var result else { throw archive.error(bundleManifest, "no package of an application") }
    // Windows updates bundles by their own version.
    result.package.version = identity.version
    result.package.build = identity.version
    return result
  }

  /// Reads a store upload, `.msixupload` or `.appxupload`: a zip file with a bundle or a package.
  static func readUpload(
    _ bytes: ByteView, file: String, as kind: ArtefactKind
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(bytes, file: file, allowing: tolerance)
    let inner = archive.members.filter { member in
      [".msix", ".appx", ".msixbundle", ".appxbundle"].contains { member.name.hasSuffix($0) }
    }
    guard inner.count == 1 else {
      throw archive.error(nil, "\(inner.count) packages or bundles in it, not one")
    }
    let isBundle = inner[0].name.hasSuffix("bundle")
    let upload = WindowsPackage(archive: archive)
    guard isBundle else { return try upload.inner(inner[0], as: kind) }
    let bytes = try upload.stored(inner[0])
    return try readBundle(bytes, file: file, as: kind, in: inner[0].name)
  }

  /// Reads a package inside this file.
  private func inner(
    _ member: ZipFile.Member, as kind: ArtefactKind
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let bytes = try stored(member)
    let path = [archive.outer, member.name].compactMap { $0 }.joined(separator: "!")
    let archive = try AppArchive(bytes, file: archive.file, in: path, allowing: Self.tolerance)
    return try WindowsPackage(archive: archive).read(as: kind)
  }

  /// A file inside this file; one that is stored without compression may have any size.
  private func stored(_ member: ZipFile.Member) throws(AppPackageError) -> ByteView {
    try archive.contents(
      of: member,
      limit: member.isStored ? Int(clamping: member.size) : AppPackageLimits.libraryBytes)
  }

  // MARK: Parts

  private func document(_ name: String, root: String) throws(AppPackageError) -> XMLElement {
    guard let member = archive[name] else { throw archive.error(name, "it is missing") }
    let bytes = try archive.contents(of: member)
    let element = try archive.reading(name) { () throws(ParseError) in
      try XMLElement(parsing: bytes, limits: AppPackageLimits.xml)
    }
    guard element.name == root else {
      throw archive.error(name, "the root is <\(element.name.shown)>, not <\(root)>")
    }
    return element
  }

  private func identity(
    of root: XMLElement, in manifest: String
  ) throws(AppPackageError) -> (name: String, version: String, architecture: String?) {
    let elements = root.children.filter { $0.name == "Identity" }
    guard let identity = elements.first, elements.count == 1 else {
      throw archive.error(manifest, "\(elements.count) elements Identity, not one")
    }
    func value(_ key: String) throws(AppPackageError) -> String {
      guard let text = identity.attributes[key]?.trimmed, !text.isEmpty else {
        throw archive.error(manifest, "Identity without \(key)")
      }
      try AppText.check(text, key) { archive.error(manifest, $0) }
      return text
    }
    return (
      try value("Name"), try value("Version"), identity.attributes["ProcessorArchitecture"]?.shown
    )
  }

  /// The name that users see. Localised texts are in a file that isn't read (`resources.pri`).
  private func shownName(
    _ text: String?, _ package: inout AppPackage
  ) throws(AppPackageError) -> String? {
    guard let text = text?.trimmed, !text.isEmpty else { return nil }
    guard !text.hasPrefix("ms-resource:") else {
      package.note("\(Self.manifest): the name is the resource \(text.shown), which is not read")
      return nil
    }
    try AppText.check(text, "DisplayName") { archive.error(Self.manifest, $0) }
    return text
  }

  /// The largest file of a logo: `Logo.png` also matches `Logo.scale-200.png`.
  private func logo(_ path: String?, _ package: inout AppPackage) -> ByteView? {
    guard let path = path?.trimmed.replacing("\\", with: "/"), path.hasSuffix(".png") else {
      return nil
    }
    let stem = path.dropLast(4)
    let found = archive.members.filter { member in
      member.name == path || member.name.hasPrefix(stem + ".") && member.name.hasSuffix(".png")
    }
    guard let largest = found.max(by: { ($0.size, $0.name) < ($1.size, $1.name) }) else {
      return nil
    }
    do throws(AppPackageError) {
      let bytes = try archive.contents(of: largest, limit: AppPackageLimits.iconBytes)
      return try archive.reading(largest.name) { () throws(ParseError) in
        try AppIcon.plainPNG(bytes)
      }
    } catch {
      package.note("\(largest.name.shown): \(error.reason)")
      return nil
    }
  }

  /// Adds programs and libraries with the ids of their PDBs.
  private func readBinaries(_ architecture: String?, into package: inout AppPackage) {
    for member in archive.members {
      let name = member.name.lowercased()
      guard [".exe", ".dll", ".winmd"].contains(where: name.hasSuffix), !member.isFolder else {
        continue
      }
      guard package.binaries.count < AppPackageLimits.binaries else {
        package.note("more than \(AppPackageLimits.binaries) programs and libraries")
        return
      }
      do throws(AppPackageError) {
        let bytes = try archive.contents(of: member, limit: AppPackageLimits.libraryBytes)
        let objects = try archive.reading(member.name) { () throws(ParseError) in
          try ObjectFile.objects(in: bytes)
        }
        let path = [archive.outer, member.name].compactMap { $0 }.joined(separator: "!")
        for object in objects {
          package.binaries.append(
            AppPackage.Binary(
              path: path, architecture: object.architecture, debugID: object.debugID))
        }
      } catch {
        package.note("\(member.name.shown): \(error.reason)")
      }
    }
  }
}
