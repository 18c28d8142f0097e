internal import Bytes
internal import Files

/// The folder of a problem of ABRT: a file for each fact, without endings. It is one report.
///
/// Files that may hold secrets (command line, environment, logs, open files) are left out.
///
/// Source: "Problem data" in the documentation of ABRT, `problem_data.h`.
enum ProblemFolder {
  /// The files of the folder that are read, as lines of one text.
  private static let parts = [
    "type", "analyzer", "executable", "reason", "time", "pid", "uid", "package", "component",
    "pkg_name", "pkg_version", "pkg_release", "architecture", "os_release", "kernel", "uuid",
    "count", "crash_function", "exception_type", "signal", "backtrace", "core_backtrace",
  ]

  /// The other files of such a folder.
  private static let others = [
    "abrt_version", "backtrace_rating", "cgroup", "cmdline", "container", "container_cmdline",
    "container_id", "container_image", "container_uuid", "cpuinfo", "cwd", "dmesg", "dso_list",
    "duphash", "environ", "event_log", "exploitable", "global_pid", "hostname", "journald_cursor",
    "kernel_log", "kernel_tainted_long", "kernel_tainted_short", "last_occurrence", "limits",
    "machineid", "maps", "mountinfo", "namespaces", "not-reportable", "open_fds", "os_info",
    "pkg_arch", "pkg_epoch", "pkg_fingerprint", "pkg_vendor", "ppid", "proc_pid_status", "remote",
    "reported_to", "rootdir", "runlevel", "smart_data", "suspend_stats", "tid",
    "ureports_counter", "username", "var_log_messages",
  ]

  private static let names = Set((parts + others).map { Array($0.utf8) })

  /// The most bytes that are read from one file.
  static let partBytes = 16 << 20

  /// Whether a file of this name may belong to such a folder.
  static func mayHold(_ name: some Sequence<UInt8>) -> Bool { names.contains(Array(name)) }

  /// Whether files of these names make a problem with a stack.
  static func isProblem(_ names: [[UInt8]]) -> Bool {
    func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
    return has("time") && (has("type") || has("analyzer"))
      && (has("backtrace") || has("core_backtrace"))
  }

  /// The report made of the files.
  ///
  /// - Parameter read: Reads the file of a name; `nil` if there is none.
  static func report(_ read: (String) throws(FileError) -> ByteView?) -> ByteView {
    var text = Array("ABRT-Problem: 1\n".utf8)
    var unread: [String] = []
    for part in parts {
      let content: [UInt8]
      do throws(FileError) {
        content = try read(part)?.clamped(0..<partBytes).array ?? []
      } catch {
        unread.append(part)
        continue
      }
      guard !content.isEmpty else { continue }
      let lines = content.split(separator: 10, omittingEmptySubsequences: false)
      let isOne = lines.count == 1 || lines.count == 2 && lines[1].isEmpty
      text += Array(part.utf8)
      if isOne {
        text += [UInt8(ascii: ":"), 32] + Array(lines[0]) + [10]
      } else {
        text += [UInt8(ascii: ":"), 10]
        for line in lines { text += [32] + Array(line) + [10] }
      }
    }
    if !unread.isEmpty { text += Array("unread: \(unread.joined(separator: ", "))\n".utf8) }
    return ByteView(text)
  }
}

/// Members of an archive that may be the files of problems, until all of it was read.
struct HeldProblems {
  private struct Member {
    let folder: String
    let name: [UInt8]
    let path: String
    let bytes: ByteView
  }

  private static let limit = 64 << 20
  private var members: [Member] = []
  private var bytes = 0

  /// Whether a member is held back. A core of a problem whose stack is here is not needed.
  mutating func hold(_ path: String, _ content: ByteView) -> Bool {
    let slash = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") }
    guard let slash else { return false }
    let folder = String(path[..<slash])
    let name = Array(path.utf8[path.utf8.index(after: slash)...])
    if name == Array("coredump".utf8) {
      return ProblemFolder.isProblem(members.filter { $0.folder == folder }.map(\.name))
    }
    guard ProblemFolder.mayHold(name), content.count <= ProblemFolder.partBytes,
      bytes + content.count <= Self.limit
    else { return false }
    bytes += content.count
    members.append(Member(folder: folder, name: name, path: path, bytes: content))
    return true
  }

  /// Hands over the problems as reports, and the held members that belong to none.
  func give(_ body: (String, ByteView) -> InputStep) -> InputStep {
    var folders: [String] = []
    var byFolder: [String: [Member]] = [:]
    for member in members {
      if byFolder[member.folder] == nil { folders.append(member.folder) }
      byFolder[member.folder, default: []].append(member)
    }
    for folder in folders {
      let members = byFolder[folder] ?? []
      if ProblemFolder.isProblem(members.map(\.name)) {
        let report = ProblemFolder.report { (name) throws(FileError) in
          members.first { $0.name == Array(name.utf8) }?.bytes
        }
        if body(folder, report) == .stop { return .stop }
        continue
      }
      for member in members where body(member.path, member.bytes) == .stop { return .stop }
    }
    return .next
  }
}
