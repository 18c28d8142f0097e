internal import Bytes
internal import Crypto
public import Identifiers

/// The hash by which App Center's SDKs name an installed build when they check for updates.
///
/// Source: `MSACPackageHash` in MSACDistributeUtil.m; `computeReleaseHash` in DistributeUtils.java.
public enum BuildHash {
  /// The hash of an app on iOS.
  ///
  /// - Parameter id: LC_UUID of the slice of the main executable that the device runs.
  public static func apple(_ id: DebugID, of release: Release) -> String {
    hash("\(DebugID(uuid: id.uuid))", release)
  }

  /// The hash of an app on Android.
  ///
  /// - Parameter package: The app's package, such as `com.example.tern`.
  public static func android(_ package: String, of release: Release) -> String {
    hash(package, release)
  }

  private static func hash(_ name: String, _ release: Release) -> String {
    SHA256.hex(of: ByteView("\(name):\(release.version):\(release.build)".utf8))
  }
}
