public import Bytes

/// Room on the local disk for data that lasts no longer than a request: what a client sends is received,
/// unpacked and assembled there, wherever the store puts the result.
public struct ScratchSpace: Sendable {
  /// The folder's path, for files without a name.
  public let path: String
  private let home: String

  /// The scratch space of a home.
  public init(of home: String) {
    self.home = home
    path = ProcessFolder.Purpose.upload.parent(in: home)
  }

  /// Makes a folder for one upload.
  public func makeFolder() throws(FileError) -> ProcessFolder {
    try ProcessFolder(for: .upload, in: home)
  }
}
