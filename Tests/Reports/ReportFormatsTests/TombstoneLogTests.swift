import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Android tombstones in logs")
struct TombstoneLogTests {
  private func sample(_ name: String) throws -> ByteView {
    try ByteView(reading: Samples.folder + "/android-tombstone/" + name, limit: 1 << 20)
  }

  @Test("xCrash: its own lines, a table of build ids, and the Java stack")
  func xCrash() throws {
    let stars = String(repeating: "*** ", count: 15) + "***\n"
    let text =
      stars + """
        Tombstone maker: 'xCrash 2.4.6'
        Crash type: 'native'
        Start time: '2019-10-12T03:28:31.063+0800'
        Crash time: '2019-10-12T03:29:06.563+0800'
        App ID: 'app.tern'
        App version: '1.2.3'
        Rooted: 'Yes'
        API level: '29'
        OS version: '10'
        Model: 'Pixel 2'
        Build fingerprint: 'google/sailfish/sailfish:10/QP1A/58:user/release-keys'
        ABI: 'arm'
        pid: 1, tid: 1, name: main  >>> app.tern:remote <<<
        signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0

        backtrace:
            #00 pc 000095b2  /data/app/x/lib/arm/libtern.so (pay+13)

        build id:
            /data/app/x/lib/arm/libtern.so (BuildId: 9f4b624c6f87673b. FileSize: 55036)

        logcat:
        --------- tail end of log main (/system/bin/logcat -b main)
        10-12 03:29:06.000  1  1 E DEBUG: Build fingerprint: 'other/one/x:1/2/3:4/5'
        10-12 03:29:06.000  1  1 E DEBUG: signal 6 (SIGABRT), code 1 (X), fault addr 0x0

        +++ +++ +++ +++ +++

        java stacktrace:
          at app.tern.Till.pay(Native method)
          at app.tern.Till.total(Till.java:156)

        """
    let reports = try LogReaderChecks.reports(text + text)
    #expect(reports.count == 2)
    let report = try #require(reports.last)
    #expect(report.app == AppIdentity(name: "app.tern", identifier: "app.tern", version: "1.2.3"))
    #expect(report.process.name == "app.tern:remote" && report.process.uptime == 35.5)
    #expect(report.device.model == "Pixel 2" && report.tags[.jailbreak] == "true")
    #expect(report.images[0].codeID?.description == "9f4b624c6f87673b")
    let java = try #require(report.otherStacks.first)
    #expect(java.frames.map(\.function) == ["app.tern.Till.pay", "app.tern.Till.total"])
    #expect(java.frames.map(\.line) == [nil, 156] && java.frames[1].file == "Till.java")
  }

  @Test(
    "Several in one log behind a logger's prefix, other lines between them",
    arguments: [
      "05-01 10:11:12.013  1234  1236 F DEBUG   : ", "F/DEBUG   ( 1234): ", "E/CRASH   ( 77): ",
      "May 01 10:11:12 host tombstoned[42]: ",
    ])
  func prefixed(prefix: String) throws {
    let text = try sample("worker-null-1.0.0.txt").text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { !$0.hasPrefix("--------- log") }.map { prefix + $0 }
    let other = "05-01 10:11:12.013  99  99 I other: #00 pc 0001  /x\n"
    let log = other + lines.joined(separator: "\n" + other) + "\n"
    let reports = try LogReaderChecks.reports(log + log)
    #expect(reports.map { $0.threads.map(\.frames.count) } == [[4, 6], [4, 6]])
    #expect(reports.map(\.app.identifier) == ["app.example.tern", "app.example.tern"])
  }

  @Test("A log without its start begins with the line of the process")
  func lostStart() throws {
    let text = try sample("worker-null-1.0.0.txt").text
    let start = try #require(text.range(of: "pid: 4711, tid: 4719"))
    let report = try #require(
      try LogReaderChecks.reports("noise\n" + text[start.lowerBound...]).first)
    #expect(report.threads.map(\.frames.count) == [4, 6])
  }

  @Test(
    "Headlines without a report, each before lines of a log, cost no more than their length",
    .timeLimit(.minutes(1)),
    arguments: [
      "Build fingerprint: 'x'\n--------- log main\n", "DALVIK THREADS (1):\n--------- log main\n",
      "pid: 1, tid: 1, name: a >>> b <<<\n", "----- pid 1 at 0 -----\nCmd line: x\n",
      "Unreachable memory\n 1 unreachable allocation\nABI: 'arm'\n",
      "Tombstone maker: 'xCrash'\nBuild fingerprint: 'x'\nsignal 6 (SIGABRT), code 1\n",
    ])
  func hostile(unit: String) throws {
    var text = ""
    for index in 0..<4_000 {
      text += "01-01 10:00:00.000 \(index) 1 I \(String(index, radix: 36)): " + unit
    }
    #expect(try LogReaderChecks.reports(text).count <= 10_000)
    #expect(try LogReaderChecks.reports(String(repeating: unit, count: 4_000)).count <= 10_000)
  }

  private static let fatalLines: [(String, UInt64?, Int?, String?)] = [
    (
      "11-20 09:41:07.480  4711  4719 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), "
        + "fault addr 0x18 in tid 4719 (tern picker), pid 4711 (app.tern)", 0x18, 4711, "app.tern"
    ),
    (
      "F/libc    ( 4711): Fatal signal 11 (SIGSEGV) at 0x00000018 (code=1), thread 4719 (tern picker)",
      0x18, nil, nil
    ),
    (
      "11-20 09:41:07.480  4711  4719 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR) "
        + "in tid 4719 (tern picker), pid 4711 (app.tern)", nil, 4711, "app.tern"
    ),
  ]

  @Test("The C library's message is the report if no tombstone follows", arguments: fatalLines)
  func fatalSignal(line: String, address: UInt64?, pid: Int?, app: String?) throws {
    let report = try #require(try LogReaderChecks.reports("noise\n\(line)\nnoise\n").first)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == address.map { Address($0) })
    #expect(report.threads.map(\.name) == ["tern picker"] && report.threads[0].id == 4719)
    #expect(report.process.pid == pid && report.app.identifier == app)
    #expect(report.notes == ["the report has no stack"])
    let text = try sample("worker-null-1.0.0.txt").text
    let reports = try LogReaderChecks.reports("\(line)\n\(text)")
    #expect(reports.map(\.threads.count) == [2])
  }

  @Test("A fingerprint alone is not a report")
  func fingerprintAlone() throws {
    #expect(
      try LogReaderChecks.reports("Build fingerprint: 'a/b/c:9/I/1:user/keys'\nuptime: 3\n").isEmpty
    )
  }

  @Test("Truncated anywhere, it is read or refused")
  func prefixes() throws {
    for name in ["worker-null-1.0.0.txt", "worker-null-1.0.0.pb"] {
      let bytes = try sample(name).array
      var read = 0
      for count in bytes.indices {
        do throws(ParseError) {
          let reports = try FormatRegistry.builtIn.reports(in: ByteView(Array(bytes[..<count])))
          read += reports.count
          #expect(reports.count == 1)
        } catch {
          #expect(error.kind == .notRecognised)
        }
      }
      #expect(read > bytes.count / 2)
    }
  }

  @Test("Damaged anywhere, it is read or refused")
  func mutations() throws {
    for name in ["worker-null-1.0.0.txt", "worker-null-1.0.0.pb"] {
      let bytes = try sample(name).array
      var mutator = Mutator(seed: 7)
      for _ in 0..<500 {
        do throws(ParseError) {
          let reports = try FormatRegistry.builtIn.reports(in: ByteView(mutator.mutated(bytes)))
          #expect(reports.flatMap(\.threads).count < 100)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
