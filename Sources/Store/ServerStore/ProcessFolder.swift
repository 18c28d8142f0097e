public import Bytes
internal import Files
internal import Glibc

/// A new folder in a home that belongs to this process, and is deleted with the last reference.
///
/// It is locked as long as its process lives; ``LeftFolders`` finds those of killed processes.
public final class ProcessFolder: Sendable {
  /// The use of a folder, which decides where it is.
  public enum Purpose: CaseIterable, Sendable {
    /// A file that a client sent: `intake/upload-XXXXXX`.
    case upload
    /// The test crash of `mayday doctor`: `doctor-XXXXXX`.
    case doctor

    var prefix: String {
      switch self {
      case .upload: "upload-"
      case .doctor: "doctor-"
      }
    }

    func parent(in home: String) -> String {
      switch self {
      case .upload: home + "/intake"
      case .doctor: home
      }
    }
  }

  public let path: String
  /// Distinguishes it from a folder whose process was killed.
  private let hold: FolderHold?

  public init(for purpose: Purpose, in home: String) throws(FileError) {
    let parent = purpose.parent(in: home)
    var template = Array("\(parent)/\(purpose.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("make folder", path: parent) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    hold = FolderHold(path)
  }

  deinit { Folder.remove(path) }
}
