internal import XML

package import Bytes

/// The parts of artefacts that have a reader of their own, for feeding it arbitrary bytes: inside an
/// artefact, checksums would reject them first.
package enum AppPackagePart: String, CaseIterable, Sendable {
  case propertyList, profile, xcodePicture, iconFamily
  case binaryManifest, resourceTable, bundleManifest, bundleResources
  case xml

  /// - Throws: ``ParseError``.
  package func read(_ bytes: ByteView) throws {
    switch self {
    case .propertyList: _ = try PropertyList(parsing: bytes)
    case .profile: _ = try ProvisioningProfile.read(bytes)
    case .xcodePicture: _ = try AppIcon.plainPNG(bytes)
    case .iconFamily: _ = try AppIcon.largestPNG(inFamily: bytes)
    case .binaryManifest: _ = try BinaryManifest.root(of: bytes)
    case .resourceTable: try Self.ask(ResourceTable(parsing: bytes))
    case .bundleManifest: _ = try AndroidElement(bundle: bytes)
    case .bundleResources: try Self.ask(BundleResources(parsing: bytes))
    case .xml: _ = try XMLElement(parsing: bytes, limits: AppPackageLimits.xml)
    }
  }

  private static func ask(_ resources: some AndroidResources) throws {
    for id in [0x7f01_0000, 0x7f01_0001, 0x7f02_0000, 0x7f03_0000] as [UInt32] {
      _ = try resources.resolve(.reference(id))
      _ = try resources.files(.reference(id))
    }
  }
}
