internal import Bytes
internal import Updates
internal import ZipFiles

extension AndroidPackage {
  /// Reads an app bundle, from which stores build the APKs; only the module `base` matters.
  static func readBundle(
    _ bytes: ByteView, file: String
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(
      bytes, file: file, allowing: .init(unlistedMembers: true, letterCase: true))
    let name = "base/manifest/AndroidManifest.xml"
    guard let member = archive[name] else { throw archive.error(name, "it is missing") }
    let text = try archive.contents(of: member)
    let root = try archive.reading(name) { () throws(ParseError) in
      try AndroidElement(bundle: text)
    }
    var package = AppPackage(.aab)
    var resources: any AndroidResources = NoAndroidResources()
    if let member = archive["base/resources.pb"] {
      do throws(AppPackageError) {
        let bytes = try archive.contents(of: member, limit: AppPackageLimits.resourceBytes)
        resources = try archive.reading(member.name) { () throws(ParseError) in
          try BundleResources(parsing: bytes)
        }
      } catch {
        package.note("\(member.name): \(error.reason)")
      }
    }
    let app = AndroidPackage(archive: archive, manifest: name, resources: resources, root: "base/")
    return try app.read(root, package)
  }
}
