public import Bytes
public import Updates
internal import ZipFiles

/// Reads what an artefact says of the app in it.
///
/// Files of any size: what is not needed is not read, and nothing is kept in memory but manifests, icons
/// and one library at a time.
public enum AppPackageReader {
  /// The package and its icon.
  public struct Result: Sendable {
    public var package: AppPackage
    /// A PNG file.
    public var icon: ByteView?
  }

  /// - Parameters:
  ///   - path: Of a file that nobody shortens meanwhile: it is mapped.
  ///   - kind: What it is; without it, what its name says.
  /// - Throws: ``FileError``, and ``AppPackageError`` for a file that is not such an artefact, that is
  ///   damaged, or that others could read in another way.
  public static func read(_ path: String, as kind: ArtefactKind? = nil) throws -> Result {
    let name = path.lastPathPart
    guard let kind = kind ?? ArtefactKind(fileName: name) else {
      let endings = ArtefactKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw AppPackageError(file: name, reason: "not an artefact by its name: \(endings)")
    }
    return try read(ByteView(mapping: path), named: name, as: kind)
  }

  /// - Parameter name: For errors.
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
      // Anything may be in it; that it can be unpacked is all that is asked.
      do throws(ParseError) {
        _ = try ZipFile(parsing: bytes, limit: AppPackageLimits.members)
      } catch {
        throw AppPackageError(file: name, reason: error.description)
      }
      return Result(package: AppPackage(kind), icon: nil)
    // Their version and build are given by whoever uploads them.
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
