import Bytes
import Identifiers
import TestSupport
import Testing
import Updates

@testable import AppPackages

/// Parts from which the tests build apps.
enum Apps {
  static let uuid = (0..<16).map { UInt8($0 + 0xa0) }

  static func program(_ cpuType: Int = 0x0100_000c, subtype: Int = 0, uuid: [UInt8]? = uuid)
    -> [UInt8]
  {
    var builder = ObjectBuilderMachO()
    builder.cpuType = cpuType
    builder.cpuSubtype = subtype
    builder.uuid = uuid
    builder.segments = [.init("__TEXT", address: 0x1_0000_0000, sections: [])]
    return builder.build()
  }

  static func information(_ more: String = "", without key: String = "") -> String {
    let values = [
      "CFBundleIdentifier": "com.example.tern", "CFBundleShortVersionString": "1.2.0",
      "CFBundleVersion": "120", "CFBundleExecutable": "Tern",
    ]
    let members = values.filter { $0.key != key }
      .map { "<key>\($0.key)</key><string>\($0.value)</string>" }.sorted().joined()
    return "<plist version=\"1.0\"><dict>\(members)\(more)</dict></plist>"
  }

  /// An app in `Payload`, with the given changes.
  static func ipa(_ change: (inout ZipForge) -> Void = { _ in }) -> ByteView {
    var forge = ZipForge()
    forge.add("Payload/Tern.app/Info.plist", information())
    forge.add("Payload/Tern.app/Tern", program(), isDeflated: true)
    change(&forge)
    return ByteView(forge.bytes)
  }

  static func read(_ bytes: ByteView, as kind: ArtefactKind = .ipa) throws -> AppPackage {
    try AppPackageReader.read(bytes, named: "tern.\(kind.rawValue)", as: kind).package
  }

  static func artefact(_ name: String) -> String { "\(Samples.root)/Artefacts/\(name)" }
}

@Suite struct AppleBundleTests {
  @Test("An app with a text Info.plist and one slice; its hash is that of oracles/artefacts.py")
  func thin() throws {
    let result = try AppPackageReader.read(Apps.artefact("Tern-1.0.0.ipa"))
    let package = result.package
    #expect(package.kind == .ipa)
    #expect(package.identifier == "com.example.tern")
    #expect(package.name == "Tern")
    #expect(package.release == Release(version: "1.0.0", build: "1000"))
    #expect(package.minimumOS == "15.0")
    #expect(package.deviceFamilies == ["iPhone", "iPad"])
    #expect(
      package.hashes == ["972efa66a3d43daeceba26e158d9ab7ed76f7e2c8a5523bbea687bdf68240637"])
    #expect(
      package.binaries == [
        .init(
          path: "Payload/Tern.app/Tern", architecture: .arm64,
          debugID: DebugID("4c4c446b-5555-3144-a142-79c47c75be14"))
      ])
    #expect(package.provisioning == nil)
    #expect(package.notes == [])
    #expect(result.icon?.starts(with: [0x89, 0x50]) == true)
  }

  @Test(
    "An app with a binary Info.plist, two slices, a framework and a profile, sizes after the data")
  func universal() throws {
    let package = try AppPackageReader.read(Apps.artefact("Tern-1.1.0.ipa")).package
    #expect(package.release == Release(version: "1.1.0", build: "1100"))
    #expect(
      package.hashes == [
        "4595911104b31b4113073d9479fdc201fe8a92597aa9fd64cadd3e2c1e86e854",
        "49c1d3c5f5b27b2836e3aa852583ac0462f6014afc77d16b99be3cd5d3ee6f83",
      ])
    #expect(package.binaries.map(\.architecture) == [.arm64, .x86_64, .x86_64])
    #expect(package.binaries.map(\.path.lastPathPart) == ["Tern", "Tern", "Gull"])
    let provisioning = try #require(package.provisioning)
    #expect(provisioning.name == "Tern testers")
    #expect(provisioning.kind == .adhoc)
    #expect(provisioning.devices == 2)
    #expect(provisioning.expires == Timestamp(year: 2028, month: 1, day: 1))
    #expect(package.notes == [])
  }

  @Test("An icon as Xcode writes it becomes one that every program shows")
  func icon() throws {
    let icon = try #require(try AppPackageReader.read(Apps.artefact("Tern-1.1.0.ipa")).icon).array
    // IHDR right after the signature; 120 by 120; then one IDAT: the header of zlib, that of a block.
    #expect(Array(icon[12..<16]) == Array("IHDR".utf8))
    #expect(Array(icon[16..<29]) == [0, 0, 0, 120, 0, 0, 0, 120, 8, 6, 0, 0, 0])
    #expect(Array(icon[37..<43]) == Array("IDAT".utf8) + [0x78, 1])
    // No filter, then red, green, blue, opacity as in the recipe.
    #expect(Array(icon[48..<57]) == [0, 20, 90, 160, 255, 20, 90, 160, 255])
  }

  @Test("A bundle for macOS: versions, slices and the picture of its icon")
  func mac() throws {
    let result = try AppPackageReader.read(Apps.artefact("Tern-1.1.0.app.zip"))
    let package = result.package
    #expect(package.identifier == "com.example.tern.mac")
    #expect(package.release == Release(version: "1.1.0", build: "1100"))
    #expect(package.minimumOS == "12.0")
    #expect(Set(package.binaries.map(\.architecture)) == [.arm64, .x86_64])
    #expect(package.hashes == [])
    #expect(result.icon?.starts(with: [0x89, 0x50]) == true)
  }

  @Test("The same file twice gives the same hashes")
  func stable() throws {
    #expect(try Apps.read(Apps.ipa()).hashes == Apps.read(Apps.ipa()).hashes)
  }

  @Test("Slices of arm64e and armv7 are known, and one without a UUID is noted")
  func slices() throws {
    var programs = [
      Apps.program(0x0100_000c, subtype: 2),
      Apps.program(12, subtype: 9, uuid: Apps.uuid.reversed()),
      Apps.program(uuid: nil),
    ]
    // A 32-bit program has a shorter header.
    var old = ObjectBuilderMachO(is64: false)
    old.cpuType = 12
    old.cpuSubtype = 9
    old.uuid = Apps.uuid.reversed()
    programs[1] = old.build()
    let package = try Apps.read(
      Apps.ipa { forge in
        forge.entries[1].bytes = Self.universal(programs, cpuTypes: [0x0100_000c, 12, 0x0100_000c])
      })
    #expect(package.binaries.map(\.architecture) == [.arm64e, .armv7, .arm64])
    #expect(package.hashes.count == 2)
    #expect(package.notes == ["Payload/Tern.app/Tern: a slice without a UUID"])
  }

  static func universal(_ programs: [[UInt8]], cpuTypes: [Int], sizes: [Int]? = nil) -> [UInt8] {
    func big(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    var head = big(0xcafe_babe) + big(programs.count)
    var body: [UInt8] = []
    for (index, program) in programs.enumerated() {
      head += big(cpuTypes[index]) + big(0) + big(4096 + body.count)
      head += big(sizes?[index] ?? program.count) + big(2)
      body += program
    }
    return head + [UInt8](repeating: 0, count: 4096 - head.count) + body
  }

  @Test(
    "Enterprise and other profiles are distinguished, whatever the lengths around the list",
    arguments: [
      ("<key>ProvisionsAllDevices</key><true/>", AppPackage.Provisioning.Kind.enterprise),
      ("<key>ProvisionedDevices</key><array><string>1</string></array>", .adhoc),
      ("", .other),
    ])
  func profiles(values: String, kind: AppPackage.Provisioning.Kind) throws {
    let list =
      "<?xml version=\"1.0\"?><plist><dict><key>Name</key><string>A\nB</string>\(values)</dict></plist>"
    let package = try Apps.read(
      Apps.ipa {
        $0.add(
          "Payload/Tern.app/embedded.mobileprovision",
          [0x30, 0x84, 0xff, 0xff] + Array(list.utf8) + [0, 0])
      })
    #expect(package.provisioning?.kind == kind)
    #expect(package.provisioning?.name == "AB")
  }

  @Test("A damaged profile, framework or icon is a note; the app is read")
  func notes() throws {
    let package = try Apps.read(
      Apps.ipa {
        $0.entries[0].bytes = Array(
          Apps.information("<key>CFBundleIconFile</key><string>Icon</string>").utf8)
        $0.add("Payload/Tern.app/embedded.mobileprovision", "nothing")
        $0.add("Payload/Tern.app/Frameworks/A.framework/A", Apps.program().prefix(40))
        $0.add("Payload/Tern.app/Icon.png", "no picture")
      })
    #expect(package.identifier == "com.example.tern")
    #expect(package.notes.count == 3)
  }

  static let wrong: [(String, ByteView, String)] = [
    ("no bytes", ByteView.empty, "the file is empty"),
    ("not a zip", ByteView(String(repeating: "text ", count: 100).utf8), "no end of a directory"),
    ("cut", Apps.ipa().clamped(0..<300), "no end of a directory"),
    ("no Payload", ByteView(ZipForge([.init("a", "b")]).bytes), "no application bundle"),
    ("two apps", Apps.ipa { $0.add("Payload/Gull.app/Info.plist", "x") }, "2 application bundles"),
    ("two Info.plists", Apps.ipa { $0.add("Payload/Tern.app/Info.plist", "x") }, "two members"),
    (
      "no Info.plist", Apps.ipa { $0.entries[0].name = Array("Payload/Tern.app/x".utf8) },
      "missing"
    ),
    (
      "no executable", Apps.ipa { $0.entries[1].name = Array("Payload/Tern.app/x".utf8) },
      "Payload/Tern.app/Tern: the executable is missing"
    ),
    ("a script", Apps.ipa { $0.entries[1].bytes = Array("#!/bin/sh".utf8) }, "not a Mach-O file"),
    (
      "a cut program", Apps.ipa { $0.entries[1].bytes = Array(Apps.program().prefix(40)) },
      "load commands"
    ),
    (
      "a slice beyond the file",
      Apps.ipa {
        $0.entries[1].bytes = universal([Apps.program()], cpuTypes: [0x0100_000c], sizes: [1 << 30])
      }, "lie outside"
    ),
    (
      "a slice of 64-bit offsets that is larger than a number with a sign",
      Apps.ipa {
        $0.entries[1].bytes =
          [0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 1, 1, 0, 0, 12, 0, 0, 0, 0]
          + [UInt8](repeating: 0, count: 8)
          + [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 40)
      }, "lie outside"
    ),
    ("encrypted", Apps.ipa { $0.entries[1].flags = 1 }, "encrypted"),
    ("a bomb", Apps.ipa { $0.entries[1].size = 1 << 31 }, "limit of"),
    ("a name that leads out", Apps.ipa { $0.add("Payload/../../x", "x") }, "not allowed"),
    (
      "a header that disagrees",
      Apps.ipa { $0.entries[0].localName = Array("Payload/Tern.app/info.plist".utf8) },
      "before its data"
    ),
    (
      "a damaged list", Apps.ipa { $0.entries[0].bytes = Array("<plist><dict>".utf8) },
      "Payload/Tern.app/Info.plist: XML: the document ends early"
    ),
    (
      "a list without a dictionary",
      Apps.ipa { $0.entries[0].bytes = Array("<plist><true/></plist>".utf8) }, "no dictionary"
    ),
    (
      "an executable outside the app",
      Apps.ipa {
        $0.entries[0].bytes = Array(
          Apps.information(
            "<key>CFBundleExecutable</key><string>../x</string>", without: "CFBundleExecutable"
          ).utf8)
      }, "missing"
    ),
    (
      "a version with a line feed",
      Apps.ipa {
        $0.entries[0].bytes = Array(
          Apps.information(
            "<key>CFBundleVersion</key><string>1\r\nX: 1</string>", without: "CFBundleVersion"
          ).utf8)
      }, "a control character in CFBundleVersion"
    ),
  ]

  @Test("An error is one line that names the file, the position and the fault", arguments: wrong)
  func refused(name: String, bytes: ByteView, reason: String) throws {
    let error = #expect(throws: AppPackageError.self) { try Apps.read(bytes) }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("tern.ipa: "))
    #expect(text.contains(reason), "\(name): \(text)")
    #expect(!text.contains("\n"))
  }

  @Test(
    "Without identifier, version, build or executable an app is refused",
    arguments: [
      "CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion", "CFBundleExecutable",
    ])
  func missing(key: String) throws {
    let bytes = Apps.ipa { $0.entries[0].bytes = Array(Apps.information(without: key).utf8) }
    let error = #expect(throws: AppPackageError.self) { try Apps.read(bytes) }
    #expect(error?.reason == "no \(key)")
    #expect(error?.member == "Payload/Tern.app/Info.plist")
  }

  @Test("Every prefix and hundreds of damaged copies are read or refused")
  func damaged() throws {
    let bytes = Apps.ipa().array
    var outcomes = Outcomes()
    let inputs =
      (0..<bytes.count).map { Array(bytes[..<$0]) } + Mutator.binary(bytes, count: 1000, seed: 11)
    for input in inputs { outcomes.count { _ = try Apps.read(ByteView(input)) } }
    #expect(outcomes.isMixed)
  }
}
