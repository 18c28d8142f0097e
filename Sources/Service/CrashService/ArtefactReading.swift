internal import AppPackages
internal import Bytes
internal import Updates

/// Reads the app's facts from a file.
enum ArtefactReading {
  /// - Throws: ``ServiceError`` for a file that is damaged, or of another kind than its name implies.
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
