public import Bytes
public import ChildProcess
package import Files
internal import Glibc

/// Reads the members of zip and tar archives, packed with gzip, bzip2, xz, zstd or lz4 or not, of
/// compressed files that are not archives, and of archives inside archives.
///
/// libarchive runs in an ``UnpackChild``, a process per archive, so that a crash costs that archive
/// only. At each level of nesting, at most one member is in memory at a time.
public struct ArchiveReader: Sendable {
  public let limits: ArchiveLimits
  private let program: String

  /// - Parameter program: The program that unpacks; it calls ``UnpackChild/run()``.
  public init(limits: ArchiveLimits = .standard, program: String = UnpackProgram.path) {
    self.limits = limits
    self.program = program
  }

  /// Whether a file that begins with `head` can be read here, judged by content alone.
  ///
  /// - Parameter head: The first 512 bytes, or all there are.
  public static func isArchive(_ head: ByteView) -> Bool {
    FileMagic(of: head)?.isArchive ?? false
  }

  /// Hands each member of the archive at `path` to `body`, in the order of the archive.
  ///
  /// - Parameters:
  ///   - name: The name of the archive where it is shown. Default: its path.
  ///   - refused: Called for members and nested archives that cannot be read. Reading continues.
  /// - Throws: ``ArchiveError`` when the archive, or the rest of it, cannot be read. The members
  ///   before that were handed over.
  public func forEachMember(
    of path: String, named name: String? = nil, refused: (RefusedMember) -> Void = { _ in },
    body: (ArchiveMember) -> ArchiveStep
  ) throws(ArchiveError) {
    let name = DisplayText.escaped((name ?? path).utf8)
    let file: OpenFile
    do {
      file = try OpenFile.opening(Array(path.utf8), name: name)
    } catch {
      throw ArchiveError(.file(error), in: name)
    }
    try walk(file, named: name) { event in
      switch event {
      case .member(let member): return body(member)
      case .refused(let member):
        refused(member)
        return .next
      case .progress: return .next
      }
    }
  }

  /// Hands each member of the archive in `bytes` to `body`, in the order of the archive.
  ///
  /// - Parameters:
  ///   - name: The name of the archive where it is shown.
  ///   - refused: Called for members and nested archives that cannot be read. Reading continues.
  /// - Throws: ``ArchiveError`` when the archive, or the rest of it, cannot be read. The members
  ///   before that were handed over.
  public func forEachMember(
    in bytes: ByteView, named name: String, refused: (RefusedMember) -> Void = { _ in },
    body: (ArchiveMember) -> ArchiveStep
  ) throws(ArchiveError) {
    let file: OpenFile
    do {
      file = try OpenFile.holding(bytes, name: name)
    } catch {
      throw ArchiveError(.file(error), in: name)
    }
    try walk(file, named: name) { event in
      switch event {
      case .member(let member): return body(member)
      case .refused(let member):
        refused(member)
        return .next
      case .progress: return .next
      }
    }
  }

  /// The sandbox of the unpacking process on this machine.
  ///
  /// - Throws: ``ArchiveError`` when the process cannot be started.
  public static func sandbox(
    program: String = UnpackProgram.path
  ) throws(ArchiveError) -> SandboxStatus {
    let name = "probe"
    let file: OpenFile
    do {
      file = try OpenFile.holding(.empty, name: name)
    } catch {
      throw ArchiveError(.file(error), in: name)
    }
    var process = try UnpackProcess(
      reading: file, archive: name, program: program, limits: .standard,
      patience: 10_000_000_000, seconds: 10)
    let frame = try process.next()
    guard frame.kind == .hello, let bits = process.bytes(of: frame).first else {
      throw process.wrongAnswer("no greeting")
    }
    return SandboxStatus(bits: Int32(bits))
  }

  /// Requires the whole sandbox for every child process that reads a file from here on.
  ///
  /// - Parameter program: The program that is started to check.
  /// - Throws: ``ArchiveError`` where this machine lacks a part of it, naming that part.
  public static func requireSandbox(program: String = UnpackProgram.path) throws(ArchiveError) {
    SandboxPolicy.require()
    try check(sandbox(program: program), for: "sandbox")
  }

  /// - Throws: ``ArchiveError`` where a required part is missing.
  static func check(_ status: SandboxStatus, for archive: String) throws(ArchiveError) {
    guard SandboxPolicy.allows(status) else {
      throw ArchiveError(.incompleteSandbox(status.description), in: archive)
    }
  }

  /// Hands over the members and problems found in the open `file`.
  ///
  /// - Throws: ``ArchiveError`` when the archive, or the rest of it, cannot be read.
  package func walk(
    _ file: borrowing OpenFile, named name: String, body: (ArchiveEvent) -> ArchiveStep
  ) throws(ArchiveError) {
    let size: Int
    do {
      size = Int(try file.status(name: name).st_size)
    } catch {
      throw ArchiveError(.file(error), in: name)
    }
    var walk = ArchiveWalk(budget: ArchiveBudget(limits, size: size), program: program)
    _ = try walk.read(file, named: name, path: "", depth: 1, body: body)
  }
}
