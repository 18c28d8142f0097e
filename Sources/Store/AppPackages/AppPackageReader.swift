public import Bytes
public import Updates
internal import ZipFiles

/// Reads what an artefact says about the app in it.
///
/// Files may have any size: only what is needed is read, and memory holds only manifests, icons and one
/// library at a time.
public enum AppPackageReader {
  /// The package and its icon.
  public struct Result: Sendable {
    public var package: AppPackage
    /// A PNG file.
    public var icon: ByteView?
  }

  /// - Parameters:
  ///   - path: The file, which must not be truncated meanwhile: it is mapped.
  ///   - kind: Its kind. Default: the kind that its name suggests.
  /// - Throws: ``FileError``, and ``AppPackageError`` for a file that is not such an artefact, that is
  ///   damaged, or that other programs could interpret differently.
  public static func read(_ path: String, as kind: ArtefactKind? = nil) throws -> Result {
    let name = path.lastPathPart
    guard let kind = kind ?? ArtefactKind(fileName: name) else {
      let endings = ArtefactKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw AppPackageError(
        file: name, reason: "not an artefact by its name; supported: \(endings)")
    }
    return try read(ByteView(mapping: path), named: name, as: kind)
  }

  /// - Parameter name: The name for errors.
  public static func read(
    _ bytes: ByteView, named name: String, as kind: ArtefactKind
  ) throws(AppPackageError) -> Result {
    guard !bytes.isEmpty else { throw AppPackageError(file: name, reason: "the file is empty") }
    switch kind {
    case .ipa: return try AppleBundle.readIPA(bytes, file: name)
    case .appZip: return try AppleBundle.readApplication(bytes, file: name)
    case .apk: return try AndroidPackage.readAPK(bytes, file: name)
    case .aab: return try AndroidPackage.readBundle(bytes, file: name)
    case .appx, .msix: return try WindowsPackage.read(bytes, file: name, as: kind)
    case .appxbundle, .msixbundle:
      return try WindowsPackage.readBundle(bytes, file: name, as: kind)
    case .appxupload, .msixupload:
      return try WindowsPackage.readUpload(bytes, file: name, as: kind)
    case .zip:
      // Anything may be in it, as long as it can be unpacked.
      do throws(ParseError) {
        _ = try ZipFile(parsing: bytes, limit: AppPackageLimits.members)
      } catch {
        throw AppPackageError(file: name, reason: error.description)
      }
      return Result(package: AppPackage(kind), icon: nil)
    // Version and build of these are given by the uploader.
    case .dmg, .msi, .pkg: return Result(package: AppPackage(kind), icon: nil)
    }
  }
}

extension AppPackage {
  /// Adds a note on what could not be read.
  mutating func note(_ text: String) {
    guard notes.count < AppPackageLimits.notes else { return }
    notes.append(
      notes.count == AppPackageLimits.notes - 1 ? "more that could not be read" : text)
  }
}
