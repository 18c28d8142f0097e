import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing
import Updates
import ZipFiles

@testable import AppPackages

/// Binary files of Android, made by hand so that they can be malformed.
enum AndroidBytes {
  static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func chunk(_ type: UInt16, head: [UInt8] = [], _ body: [UInt8]) -> [UInt8] {
    little(type) + little(UInt16(8 + head.count)) + little(UInt32(8 + head.count + body.count))
      + head + body
  }

  static func strings(_ texts: [String], isUTF8: Bool = false) -> [UInt8] {
    var offsets: [UInt8] = []
    var data: [UInt8] = []
    for text in texts {
      offsets += little(UInt32(data.count))
      if isUTF8 {
        data += [UInt8(text.utf16.count), UInt8(text.utf8.count)] + Array(text.utf8) + [0]
      } else {
        data += little(UInt16(text.utf16.count)) + text.utf16.flatMap { little($0) } + [0, 0]
      }
    }
    let head =
      little(UInt32(texts.count)) + little(UInt32(0)) + little(UInt32(isUTF8 ? 0x100 : 0))
      + little(UInt32(28 + offsets.count)) + little(UInt32(0))
    return chunk(1, head: head, offsets + data)
  }

  struct Attribute {
    var name: UInt32
    var type: UInt8
    var data: UInt32
  }

  static let names = [
    "versionCode", "versionName", "minSdkVersion", "label", "package", "manifest", "uses-sdk",
    "application", "com.example.tern", "1.2.0", "Tern", "Q", "split", "config.arm64",
  ]
  static let numbers: [UInt32] = [0x0101_021b, 0x0101_021c, 0x0101_020c, 0x0101_0001]

  static func start(_ name: UInt32, _ attributes: [Attribute]) -> [UInt8] {
    var body = little(UInt32.max) + little(name) + little(UInt16(20)) + little(UInt16(20))
    body += little(UInt16(attributes.count)) + [UInt8](repeating: 0, count: 6)
    for attribute in attributes {
      body += little(UInt32.max) + little(attribute.name) + little(UInt32.max) + little(UInt16(8))
      body += [0, attribute.type] + little(attribute.data)
    }
    return chunk(0x102, head: little(UInt32(1)) + little(UInt32.max), body)
  }

  static func end(_ name: UInt32) -> [UInt8] {
    chunk(0x103, head: little(UInt32(1)) + little(UInt32.max), little(UInt32.max) + little(name))
  }

  /// - Parameter version: The value of versionName.
  static func manifest(
    version: Attribute? = .init(name: 1, type: 3, data: 9),
    code: Attribute? = .init(name: 0, type: 0x10, data: 120),
    level: Attribute = .init(name: 2, type: 0x10, data: 21),
    label: Attribute = .init(name: 3, type: 3, data: 10),
    more: [Attribute] = [], isUTF8: Bool = false
  ) -> [UInt8] {
    let root = [version, code].compactMap { $0 } + [.init(name: 4, type: 3, data: 8)] + more
    return chunk(
      3,
      strings(names, isUTF8: isUTF8) + chunk(0x180, numbers.flatMap { little($0) }) + start(5, root)
        + start(6, [level]) + end(6) + start(7, [label]) + end(7) + end(5))
  }

  enum Value {
    case text(UInt32)
    case reference(UInt32)
  }

  /// Resources of the package 7f and its type 1, each for all devices.
  static func resources(_ texts: [String], _ values: [Value]) -> [UInt8] {
    var offsets: [UInt8] = []
    var entries: [UInt8] = []
    for value in values {
      offsets += little(UInt32(entries.count))
      entries += little(UInt16(8)) + little(UInt16(0)) + little(UInt32(0)) + little(UInt16(8)) + [0]
      switch value {
      case .text(let index): entries += [3] + little(index)
      case .reference(let id): entries += [1] + little(id)
      }
    }
    let configuration = little(UInt32(28)) + [UInt8](repeating: 0, count: 24)
    let type = chunk(
      0x201,
      head: [1, 0, 0, 0] + little(UInt32(values.count)) + little(UInt32(48 + offsets.count))
        + configuration,
      offsets + entries)
    let package = chunk(
      0x200, head: little(UInt32(0x7f)) + [UInt8](repeating: 0, count: 276), type)
    return chunk(2, head: little(UInt32(1)), strings(texts) + package)
  }

  static func apk(
    _ manifest: [UInt8] = manifest(), resources: [UInt8]? = nil,
    _ change: (inout ZipForge) -> Void = { _ in }
  ) -> ByteView {
    var forge = ZipForge()
    forge.add("AndroidManifest.xml", manifest, isDeflated: true)
    if let resources { forge.add("resources.arsc", resources) }
    change(&forge)
    return ByteView(forge.bytes)
  }
}

@Suite struct AndroidPackageTests {
  @Test(
    "An APK by aapt: what it refers to is resolved; hash and ids are those of oracles/artefacts.py")
  func apk() throws {
    let result = try AppPackageReader.read(Apps.artefact("Tern-1.1.0.apk"))
    let package = result.package
    #expect(package.identifier == "com.example.tern")
    #expect(package.name == "Tern")
    #expect(package.release == Release(version: "1.1.0", build: "1100"))
    #expect(package.minimumOS == "23")
    #expect(
      package.hashes == ["978b62e394254e651cdbf711a7279b7db8b034eb5aead4958d9a14c0edd962bd"])
    #expect(
      package.binaries == [
        .init(
          path: "lib/arm64-v8a/libgull.so", architecture: .arm64,
          debugID: DebugID("32e9d625-1a24-2745-8ec5-e942a7db4a05")),
        .init(
          path: "classes.dex", architecture: .jvm,
          debugID: DebugID("f3599d9d-5f9e-51ec-b724-de3181262809")),
      ])
    #expect(package.notes == [])
    // The denser of two icons, 96 pixels wide.
    #expect(result.icon?.clamped(16..<20).array == [0, 0, 0, 96])
  }

  @Test("An app bundle: manifest and resources as messages")
  func bundle() throws {
    let result = try AppPackageReader.read(Apps.artefact("Tern-1.2.0.aab"))
    let package = result.package
    #expect(package.identifier == "com.example.tern")
    #expect(package.name == "Tern")
    #expect(package.release == Release(version: "1.2.0", build: "1200"))
    #expect(package.minimumOS == "26")
    #expect(
      package.hashes == ["b6553ad4bbbbc67e4cb5a1c58ad095fd1309a349abb3d5d32ee1e0b83e6dd394"])
    #expect(
      package.binaries.map(\.debugID) == [
        DebugID("32e9d625-1a24-2745-8ec5-e942a7db4a05"),
        DebugID("713659e4-be4a-564f-8f42-18e392776549"),
      ])
    #expect(result.icon != nil)
  }

  @Test("Texts in either form, codenames and a version behind three references")
  func forms() throws {
    let package = try Apps.read(
      AndroidBytes.apk(
        AndroidBytes.manifest(
          version: .init(name: 1, type: 1, data: 0x7f01_0000),
          level: .init(name: 2, type: 3, data: 11),
          isUTF8: true),
        resources: AndroidBytes.resources(
          ["2.0"], [.reference(0x7f01_0002), .text(0), .reference(0x7f01_0001)])), as: .apk)
    #expect(package.version == "2.0")
    #expect(package.minimumOS == "29")
    #expect(package.name == "Tern")
  }

  @Test("Attributes are identified by their numbers, whatever their names")
  func numbers() throws {
    // `label` has the name that stands for "versionCode" only as text: there is no second number for it.
    let manifest = AndroidBytes.manifest(more: [.init(name: 9, type: 0x10, data: 7)])
    #expect(try Apps.read(AndroidBytes.apk(manifest), as: .apk).build == "120")
  }

  static let circle = AndroidBytes.resources(
    [], [.reference(0x7f01_0001), .reference(0x7f01_0000)])

  static let wrong: [(String, ByteView, String)] = [
    (
      "no manifest", ByteView(ZipForge([.init("a", "b")]).bytes),
      "AndroidManifest.xml: it is missing"
    ),
    (
      "a text manifest", AndroidBytes.apk(Array("<manifest/>".utf8)), "AndroidManifest.xml: "
    ),
    (
      "a version in a circle",
      AndroidBytes.apk(
        AndroidBytes.manifest(version: .init(name: 1, type: 1, data: 0x7f01_0000)),
        resources: circle),
      "limit of 16 references"
    ),
    (
      "a version that refers to nothing",
      AndroidBytes.apk(AndroidBytes.manifest(version: .init(name: 1, type: 1, data: 0x7f01_0000))),
      "versionName refers to nothing"
    ),
    ("no version", AndroidBytes.apk(AndroidBytes.manifest(version: nil)), "no versionName"),
    ("no code", AndroidBytes.apk(AndroidBytes.manifest(code: nil)), "no versionCode"),
    (
      "a part of an app",
      AndroidBytes.apk(AndroidBytes.manifest(more: [.init(name: 12, type: 3, data: 13)])),
      "a part of an app (config.arm64)"
    ),
    (
      "a text that is not there",
      AndroidBytes.apk(AndroidBytes.manifest(version: .init(name: 1, type: 3, data: 99))),
      "text 99 of 14"
    ),
    (
      "elements within elements",
      AndroidBytes.apk(
        AndroidBytes.chunk(
          3,
          AndroidBytes.strings(AndroidBytes.names)
            + (0..<5000).flatMap { _ in AndroidBytes.start(5, []) })), "limit of 64"
    ),
    ("two manifests", AndroidBytes.apk { $0.add("AndroidManifest.xml", "x") }, "two members"),
  ]

  @Test("An error is one line that names the file, the position and the fault", arguments: wrong)
  func refused(name: String, bytes: ByteView, reason: String) throws {
    let error = #expect(throws: AppPackageError.self) { try Apps.read(bytes, as: .apk) }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("tern.apk: ") && text.contains(reason), "\(name): \(text)")
  }

  @Test("Resources for endless devices, and endless texts, cost a note and no time")
  func endless() throws {
    let one = AndroidBytes.resources(["x"], [.text(0)])
    let long = AndroidBytes.resources([String(repeating: "x", count: 30_000)], [.text(0)])
    // The package holds its type thousands of times.
    let strings = AndroidBytes.strings(["x"])
    let package = Array(one[(12 + strings.count)...])
    let type = Array(package[288...])
    let many = AndroidBytes.chunk(
      2, head: AndroidBytes.little(UInt32(1)),
      strings
        + AndroidBytes.chunk(
          0x200, head: Array(package[8..<288]), (0..<3000).flatMap { _ in type }))
    for resources in [many, long] {
      let package = try Apps.read(
        AndroidBytes.apk(
          AndroidBytes.manifest(label: .init(name: 3, type: 1, data: 0x7f01_0000)),
          resources: resources), as: .apk)
      #expect(package.name == nil && package.notes.count == (resources == many ? 1 : 0))
    }
  }

  @Test("A circular label is a note; the app is read")
  func labelInCircle() throws {
    let package = try Apps.read(
      AndroidBytes.apk(
        AndroidBytes.manifest(label: .init(name: 3, type: 1, data: 0x7f01_0000)),
        resources: Self.circle),
      as: .apk)
    #expect(package.name == nil && package.notes.count == 1)
  }

  @Test(
    "Every prefix and hundreds of damaged copies of manifests and resources are read or refused",
    arguments: ["Tern-1.1.0.apk", "Tern-1.2.0.aab"])
  func damaged(name: String) throws {
    let bytes = try ByteView(reading: Apps.artefact(name), limit: 1 << 20)
    let archive = try AppArchive(
      bytes, file: name, allowing: .init(unlistedMembers: true, letterCase: true))
    func read(_ bytes: ByteView) throws {
      switch name.hasSuffix("apk") {
      case true:
        if BinaryManifest.isManifest(bytes) { _ = try BinaryManifest.root(of: bytes) }
        let table = try ResourceTable(parsing: bytes)
        for id in [0x7f01_0000, 0x7f02_0000, 0x7f03_0001] as [UInt32] {
          _ = try table.resolve(.reference(id))
          _ = try table.files(.reference(id))
        }
      case false:
        _ = try? AndroidElement(bundle: bytes)
        _ = try BundleResources(parsing: bytes).files(.reference(0x7f02_0000))
      }
    }
    let names = [
      "AndroidManifest.xml", "resources.arsc", "base/manifest/AndroidManifest.xml",
      "base/resources.pb",
    ]
    var outcomes = Outcomes()
    for member in names.compactMap({ archive[$0] }) {
      let bytes = try archive.contents(of: member).array
      let inputs =
        (0..<bytes.count).map { Array(bytes[..<$0]) } + Mutator.binary(bytes, count: 1000, seed: 21)
      for input in inputs { outcomes.count { try read(ByteView(input)) } }
    }
    #expect(outcomes.isMixed)
  }
}
