internal import Bytes

/// The members that follow a requested one in its archive, so that a list of members does not unpack their
/// archive for each.
struct HeldMembers {
  /// The most bytes that are held.
  static let mostBytes = 64 << 20
  /// The most members that are held.
  static let mostFiles = 4_096

  /// The path of the archive on disk.
  let archive: [UInt8]
  private var files: [InputFile] = []
  /// The indexes of the files that are, or are in, the member of a name.
  private var byName: [String: [Int]] = [:]
  private var bytes = 0

  init(of archive: [UInt8] = []) { self.archive = archive }

  /// Adds the next file of the archive.
  ///
  /// - Returns: Whether there is room for more.
  mutating func add(_ file: InputFile) -> Bool {
    if case .success(let content) = file.content { bytes = bytes.addingClamped(content.count) }
    byName[file.path, default: []].append(files.count)
    // A member that is an archive itself stands for what is in it.
    var end = file.path.startIndex
    while let mark = file.path[end...].firstIndex(of: "!") {
      byName[String(file.path[..<mark]), default: []].append(files.count)
      end = file.path.index(after: mark)
    }
    files.append(file)
    return bytes < Self.mostBytes && files.count < Self.mostFiles
  }

  /// The files that are, or are in, a member; empty where it is not held whole.
  ///
  /// - Parameter name: As ``InputFile/path``.
  func files(named name: String) -> [InputFile] {
    guard let indexes = byName[name], let last = indexes.last else { return [] }
    // Of several members of one name, the first is meant.
    if let first = indexes.first(where: { files[$0].path == name }) { return [files[first]] }
    // The files in the last member may go on beyond those that are held.
    return last < files.count - 1 ? indexes.map { files[$0] } : []
  }
}

extension InputFile {
  /// The same file for another request.
  func numbered(_ ordinal: Int) -> InputFile {
    InputFile(
      path: path, content: content, ordinal: ordinal, companion: companion, isMember: isMember,
      archive: archive, coverage: coverage)
  }
}
