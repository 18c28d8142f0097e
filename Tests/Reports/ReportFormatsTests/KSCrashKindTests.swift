import Bytes
import CrashModel
import Testing

@testable import ReportFormats

/// Reports of KSCrash 2.5 and later other than crashes.
@Suite("KSCrash's hangs, profiles and unmarked threads")
struct KSCrashKindTests {
  private static let program =
    "/private/var/containers/Bundle/Application/1F78/Tern.app/Tern"

  private func report(error: String, threads: String = "[]") throws -> CrashReport {
    let text = """
      {"report": {"version": "3.7.0", "id": "E7E49C93", "process_name": "Tern",
       "timestamp": 1765315421500795, "type": "standard"},
       "system": {"system_name": "iOS", "system_version": "26.1", "cpu_arch": "arm64",
       "CFBundleExecutablePath": "\(Self.program)", "CFBundleName": "Tern"},
       "binary_images": [
       {"image_addr": 4295950336, "image_size": 65536, "name": "\(Self.program)"},
       {"image_addr": 6790578176, "image_size": 65536, "name": "/usr/lib/system/libsystem_kernel.dylib"}],
       "crash": {"error": \(error), "threads": \(threads)}}
      """
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    #expect(reports.count == 1 && reports.first?.format.description == "kscrash")
    return try #require(reports.first)
  }

  private func thread(_ index: Int, _ addresses: [Int], crashed: Bool = false) -> String {
    let frames = addresses.map { "{\"instruction_addr\": \($0)}" }.joined(separator: ", ")
    return """
      {"index": \(index), "crashed": \(crashed), "backtrace": {"contents": [\(frames)]}}
      """
  }

  @Test("A watchdog timeout is a hang, with the system's code")
  func watchdog() throws {
    let report = try report(
      error: """
        {"type": "mach", "address": 0, "mach": {"exception": 10, "exception_name": "EXC_CRASH",
        "code": 9, "code_name": "KERN_MEMORY_FAILURE", "subcode": 37},
        "signal": {"signal": 9, "code": 0}, "exit_reason": {"code": 2343432205},
        "hang": {"hang_start_nanos": 1000000000, "hang_end_nanos": 3250000000,
        "hang_start_role": "FOREGROUND_APPLICATION"}}
        """, threads: "[\(thread(0, [6790578180, 4295950340], crashed: true))]")
    #expect(report.kind == .hang && report.crashedThread == 0)
    #expect(report.reason.signal == "SIGKILL" && report.reason.code == "0x8badf00d")
    #expect(report.reason.address == nil && report.reason.message == "The app hung for 2.2 s")
    #expect(report.tags[.terminationCode] == "0x8badf00d")
    #expect(report.tags[.processRole] == "Foreground")
  }

  @Test("A profile is not a crash; its stack is the one of most samples")
  func profile() throws {
    let report = try report(
      error: """
        {"type": "profile", "mach": {"exception": 0}, "signal": {"signal": 6, "name": "SIGABRT"},
        "profile": {"name": "startup", "frames": [
        {"instruction_addr": 4295950343, "symbol_name": "pay", "symbol_addr": 4295950336},
        {"instruction_addr": 4295950443, "symbol_name": "main", "symbol_addr": 4295950400}],
        "samples": [{"frames": [1]}, {"frames": [0, 1]}, {"frames": [0, 1, 287]}, {"frames": []}]}}
        """)
    #expect(report.kind == .other && report.reason.type == "profile")
    #expect(report.reason.signal == nil && report.reason.message == "startup")
    let thread = try #require(report.threads.first)
    #expect(thread.name == "heaviest stack" && thread.frames.map(\.function) == ["pay", "main"])
    #expect(thread.frames.allSatisfy { $0.position == .adjusted })
    #expect(report.notes == ["the stack is that of 2 of 3 samples"])
    let empty = try self.report(
      error: #"{"type": "profile", "profile": {"frames": [], "samples": [{"frames": [9, -1]}]}}"#)
    #expect(empty.notes.contains("the samples name frames that the profile does not have"))
  }

  @Test("If no thread is marked, the one with the app's code is used, or none")
  func unmarked() throws {
    let error = #"{"type": "mach", "mach": {"exception": 1}, "address": 16}"#
    let system = [6_790_578_180, 6_790_578_300]
    let one = try report(
      error: error, threads: "[\(thread(0, system)), \(thread(1, [6790578180, 4295950340]))]")
    #expect(one.crashedThread == 1 && one.threads[1].crashed && one.notes.count == 1)
    let standing = try report(
      error: error,
      threads: "[\(thread(0, [4295950340])), \(thread(1, [6790578180, 4295950340]))]")
    #expect(standing.crashedThread == 0)
    let none = try report(
      error: error, threads: "[\(thread(0, system)), \(thread(1, system))]")
    #expect(none.crashedThread == nil)
    #expect(none.notes == ["no thread is marked as crashed, and several may be the one"])
  }
}
