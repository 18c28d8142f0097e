internal import AppPackages
internal import Bytes
internal import Updates

/// What a file says of the app in it.
enum ArtefactReading {
  /// - Throws: ``ServiceError`` for a file that is not what its name says, or is damaged.
  static func read(
    _ bytes: ByteView, named fileName: String, as kind: ArtefactKind
  ) throws -> (package: AppPackage, icon: ByteView?) {
    do {
      let result = try AppPackageReader.read(bytes, named: fileName, as: kind)
      return (result.package, result.icon)
    } catch {
      throw ServiceError(error.description, .wrongUsage)
    }
  }
}
