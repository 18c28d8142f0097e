import Bytes
import Identifiers
import TestSupport
import Testing
import Updates

@testable import AppPackages

@Suite struct WindowsPackageTests {
  @Test("A package: identity, oldest system, the id of its program, the largest logo")
  func package() throws {
    let result = try AppPackageReader.read(Apps.artefact("Tern-1.1.0.msix"))
    let package = result.package
    #expect(package.identifier == "Example.Tern")
    #expect(package.name == "Tern")
    #expect(package.release == Release(version: "1.1.0.0", build: "1.1.0.0"))
    #expect(package.minimumOS == "10.0.17763.0")
    #expect(package.deviceFamilies == ["Windows.Desktop"])
    #expect(
      package.binaries == [
        .init(
          path: "tern.exe", architecture: .x86_64,
          debugID: DebugID("34c396bf-ee44-2b34-4c4c-44205044422e-1"))
      ])
    #expect(result.icon?.clamped(16..<20).array == [0, 0, 0, 100])
  }

  @Test("A bundle has its own version, and the programs of all its packages")
  func bundle() throws {
    let package = try AppPackageReader.read(Apps.artefact("Tern-1.1.0.msixbundle")).package
    #expect(package.version == "2027.301.1.0")
    #expect(package.binaries.map(\.path) == ["tern_x64.msix!tern.exe", "tern_arm64.msix!tern.exe"])
  }

  @Test("An upload is read through to the packages of its bundle")
  func upload() throws {
    var forge = ZipForge()
    let bundle = try ByteView(reading: Apps.artefact("Tern-1.1.0.msixbundle"), limit: 1 << 20)
    forge.add("Tern.msixbundle", bundle.array, isDeflated: true)
    forge.add("Tern.appxsym", "symbols")
    let package = try Apps.read(ByteView(forge.bytes), as: .msixupload)
    #expect(package.kind == .msixupload && package.version == "2027.301.1.0")
    #expect(package.binaries.first?.path == "Tern.msixbundle!tern_x64.msix!tern.exe")
  }

  static func manifest(_ body: String) -> ByteView {
    ByteView(ZipForge([.init("AppxManifest.xml", body)]).bytes)
  }

  static let wrong: [(ByteView, String)] = [
    (ByteView(ZipForge([.init("a", "b")]).bytes), "AppxManifest.xml: it is missing"),
    (manifest("<Bundle/>"), "the root is <Bundle>"),
    (manifest("<Package/>"), "0 elements Identity"),
    (
      manifest(
        "<Package><Identity Name='A' Version='1'/><Identity Name='B' Version='2'/></Package>"),
      "2 elements"
    ),
    (manifest("<Package><Identity Name='A'/></Package>"), "Identity without Version"),
    (
      manifest("<Package><Identity Name='A&#10;B' Version='1'/></Package>"),
      "a control character in Name"
    ),
    (manifest("<!DOCTYPE a [<!ENTITY b 'c'>]><Package/>"), "a document type with declarations"),
  ]

  @Test("An error is one line that names the file, the position and the fault", arguments: wrong)
  func refused(bytes: ByteView, reason: String) throws {
    let error = #expect(throws: AppPackageError.self) { try Apps.read(bytes, as: .msix) }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("tern.msix: ") && text.contains(reason), "\(text)")
  }

  @Test("A bundle that lists missing packages, or contains another app, is refused")
  func bundles() throws {
    func read(_ list: String, _ inner: String) throws {
      var forge = ZipForge()
      forge.add(
        "AppxMetadata/AppxBundleManifest.xml",
        "<Bundle><Identity Name='A' Version='1.0.0.0'/><Packages>\(list)</Packages></Bundle>")
      forge.add("a.msix", Self.manifest(inner).array)
      _ = try Apps.read(ByteView(forge.bytes), as: .msixbundle)
    }
    let package = "<Package><Identity Name='A' Version='1.0.0.0'/></Package>"
    try read("<Package Type='application' FileName='a.msix'/>", package)
    for (list, inner) in [
      ("<Package Type='application' FileName='b.msix'/>", package),
      ("<Package Type='application'/>", package), ("", package),
      (
        "<Package Type='application' FileName='a.msix'/>",
        package.replacing("Name='A'", with: "Name='B'")
      ),
    ] {
      #expect(throws: AppPackageError.self) { try read(list, inner) }
    }
  }

  @Test(
    "Of other kinds nothing is read; a zip file must be one",
    arguments: [ArtefactKind.dmg, .msi, .pkg, .zip])
  func others(kind: ArtefactKind) throws {
    let zip = ByteView(ZipForge([.init("a", "b")]).bytes)
    #expect(try Apps.read(zip, as: kind) == AppPackage(kind))
    let other = ByteView("some bytes".utf8)
    if kind == .zip {
      #expect(throws: AppPackageError.self) { try Apps.read(other, as: kind) }
    } else {
      #expect(try Apps.read(other, as: kind) == AppPackage(kind))
    }
  }
}
