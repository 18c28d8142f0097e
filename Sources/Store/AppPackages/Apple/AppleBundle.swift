internal import Bytes
internal import Updates
internal import ZipFiles

/// An application bundle for Apple's systems in a zip file.
struct AppleBundle {
  let archive: AppArchive
  /// The folder of the bundle, with the slash: `Payload/Tern.app/`.
  let folder: String
  /// The folder of the system's files: equal to `folder` on iOS, `Contents/` inside it on macOS.
  let contents: String

  // MARK: iOS

  /// Reads an app in the form that iOS installs: a zip file with one bundle in `Payload`.
  static func readIPA(
    _ bytes: ByteView, file: String
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(
      bytes, file: file, allowing: .init(unlistedMembers: false, letterCase: false))
    var folders: Set<String> = []
    for member in archive.members {
      let parts = member.name.split(separator: "/", maxSplits: 2)
      guard parts.count == 3, parts[0] == "Payload", parts[1].hasSuffix(".app") else { continue }
      folders.insert("Payload/\(parts[1])/")
    }
    guard let folder = folders.first else {
      throw archive.error("Payload", "no application bundle (*.app)")
    }
    guard folders.count == 1 else {
      throw archive.error(
        "Payload",
        "\(folders.count) application bundles: \(folders.sorted().prefix(3).joined(separator: ", ").shown)"
      )
    }
    let bundle = AppleBundle(archive: archive, folder: folder, contents: folder)
    var package = AppPackage(.ipa)
    let list = try InformationList(folder + "Info.plist", in: archive)
    try bundle.read(list, into: &package)
    package.minimumOS = try list.text("MinimumOSVersion")
    package.deviceFamilies = bundle.deviceFamilies(list)
    let executable = folder + (try list.wanted("CFBundleExecutable"))
    try bundle.readBinaries(executable: executable, into: &package)
    package.hashes = bundle.hashes(of: package, executable: executable)
    bundle.readProvisioning(into: &package)
    let icon = bundle.icon(list, &package)
    return AppPackageReader.Result(package: package, icon: icon)
  }

  // MARK: macOS

  /// Reads a zip file with one application bundle, in a folder or not.
  static func readApplication(
    _ bytes: ByteView, file: String
  ) throws(AppPackageError) -> AppPackageReader.Result {
    let archive = try AppArchive(
      bytes, file: file, allowing: .init(unlistedMembers: false, letterCase: false))
    let end = ".app/Contents/Info.plist"
    let lists = archive.members.map(\.name).filter { name in
      // Not those of nested applications, nor of the metadata files that macOS adds.
      name.hasSuffix(end) && !name.dropLast(end.count).contains(".app/")
        && !name.hasPrefix("__MACOSX/")
    }
    guard let list = lists.first else {
      throw archive.error(nil, "no application bundle (*.app/Contents/Info.plist)")
    }
    guard lists.count == 1 else {
      throw archive.error(
        nil,
        "\(lists.count) application bundles: \(lists.sorted().prefix(3).joined(separator: ", ").shown)"
      )
    }
    let contents = String(list.dropLast("Info.plist".count))
    let bundle = AppleBundle(
      archive: archive, folder: String(contents.dropLast("Contents/".count)), contents: contents)
    var package = AppPackage(.appZip)
    let information = try InformationList(list, in: archive)
    try bundle.read(information, into: &package)
    package.minimumOS = try information.text("LSMinimumSystemVersion")
    let executable = contents + "MacOS/" + (try information.wanted("CFBundleExecutable"))
    try bundle.readBinaries(executable: executable, into: &package)
    let icon = bundle.systemIcon(information, &package)
    return AppPackageReader.Result(package: package, icon: icon)
  }

  /// The largest PNG picture of the icon in `Resources`.
  private func systemIcon(
    _ list: InformationList, _ package: inout AppPackage
  ) -> ByteView? {
    guard let name = list.list["CFBundleIconFile"]?.string, !name.isEmpty else { return nil }
    let path = contents + "Resources/" + (name.hasSuffix(".icns") ? name : name + ".icns")
    guard let member = archive[path] else { return nil }
    do throws(AppPackageError) {
      let bytes = try archive.contents(of: member, limit: 4 * AppPackageLimits.iconBytes)
      return try archive.reading(path) { () throws(ParseError) in
        try AppIcon.largestPNG(inFamily: bytes)
      }
    } catch {
      package.note("\(path.shown): \(error.reason)")
      return nil
    }
  }

  // MARK: Both

  private func read(
    _ list: InformationList, into package: inout AppPackage
  ) throws(AppPackageError) {
    package.identifier = try list.wanted("CFBundleIdentifier")
    let names = [try list.text("CFBundleDisplayName"), try list.text("CFBundleName")]
    package.name = names.compactMap { $0 }.first
    package.version = try list.wanted("CFBundleShortVersionString")
    package.build = try list.wanted("CFBundleVersion")
  }

  /// Source: Apple, "UIDeviceFamily".
  private func deviceFamilies(_ list: InformationList) -> [String] {
    let names: [Int64: String] = [
      1: "iPhone", 2: "iPad", 3: "Apple TV", 4: "Apple Watch", 7: "Apple Vision",
    ]
    let value = list.list["UIDeviceFamily"]
    let numbers = value?.number.map { [$0] } ?? value?.array.compactMap(\.number) ?? []
    return Set(numbers).sorted().compactMap { names[$0] }
  }

  /// The hashes that App Center's SDK for iOS compares with the running build: one for each slice.
  private func hashes(of package: AppPackage, executable: String) -> [String] {
    var hashes: [String] = []
    for binary in package.binaries where binary.path == executable {
      guard let id = binary.debugID else { continue }
      let hash = BuildHash.apple(id, of: package.release)
      if !hashes.contains(hash) { hashes.append(hash) }
    }
    return hashes
  }

  private func readProvisioning(into package: inout AppPackage) {
    guard let member = archive[contents + "embedded.mobileprovision"] else { return }
    do throws(AppPackageError) {
      let bytes = try archive.contents(of: member)
      package.provisioning = try archive.reading(member.name) { () throws(ParseError) in
        try ProvisioningProfile.read(bytes)
      }
    } catch {
      package.note("\(error.member ?? "profile"): \(error.reason)")
    }
  }

  /// The largest icon beside the executable that is a PNG file.
  private func icon(_ list: InformationList, _ package: inout AppPackage) -> ByteView? {
    var names: Set<String> = []
    for key in ["CFBundleIcons", "CFBundleIcons~ipad"] {
      let primary = list.list[key]?["CFBundlePrimaryIcon"]
      names.formUnion(primary?["CFBundleIconFiles"]?.array.compactMap(\.string) ?? [])
    }
    names.formUnion(list.list["CFBundleIconFiles"]?.array.compactMap(\.string) ?? [])
    if let name = list.list["CFBundleIconFile"]?.string { names.insert(name) }
    // `AppIcon60x60` also matches `AppIcon60x60@2x.png` and `AppIcon60x60@3x~ipad.png`.
    let stems = Set(names.map { $0.hasSuffix(".png") ? String($0.dropLast(4)) : $0 })
    let candidates = archive.members.filter { member in
      guard member.name.hasPrefix(folder), member.name.hasSuffix(".png") else { return false }
      let name = member.name.dropFirst(folder.count).dropLast(4)
      let stem = name.prefix { $0 != "@" && $0 != "~" }
      return stems.contains(String(stem))
    }
    let largest = candidates.max { ($0.size, $0.name) < ($1.size, $1.name) }
    guard let largest else { return nil }
    do throws(AppPackageError) {
      let bytes = try archive.contents(of: largest, limit: AppPackageLimits.iconBytes)
      return try archive.reading(largest.name) { () throws(ParseError) in
        try AppIcon.plainPNG(bytes)
      }
    } catch {
      package.note("\(error.member ?? "icon"): \(error.reason)")
      return nil
    }
  }
}
