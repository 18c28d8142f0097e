import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import ReportDocument
import TestSupport
import Testing
import TriageModel

/// Numbered cases in which groups are related or linked, from reports to the store.
@Suite("Traps of grouping that likeness decides")
struct RelatedTrapTests {
  private let folder = ScratchFolder()
  private let store: CrashStore

  init() throws { store = try CrashStore(opening: folder.path("home")) }

  private static let library = "/usr/lib/libnet.so.6"

  /// Stores a report with these functions, one per line, and returns its group. `*` marks a function of the
  /// library.
  private func add(
    _ functions: String, app: String = "shop", version: String = "1.0",
    _ change: (inout CrashReport) -> Void = { _ in }
  ) throws -> String {
    var report = CrashReport(format: ReportFormat("test"))
    report.process.path = "/opt/\(app)/bin/\(app)"
    report.process.name = app
    report.app = AppIdentity(name: app, version: version, build: "12")
    report.reason.signal = "SIGSEGV"
    let frames = functions.split(separator: "\n").map { name in
      var frame = Frame(position: .exact)
      frame.function = String(name.drop { $0 == "*" })
      frame.image = name.hasPrefix("*") ? 1 : 0
      return frame
    }
    report.images = ["/opt/\(app)/bin/\(app)", Self.library].map { path in
      LoadedImage(
        name: String(path.split(separator: "/").last ?? ""), path: path,
        debugID: DebugID(uuid: path.utf8.reversed()))
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    change(&report)
    report.signature = Signer(rules: .standard).signature(of: report, app: app)
    let bytes = ByteView("\(app) \(version) \(functions) \(report.kind) \(report.reason)".utf8)
    let received = Timestamp(seconds: 1_770_000_000)
    let id = ReportID.ids(of: bytes, app: app, count: 1)[0]
    let receipt = try store.reports.add(
      Submission(bytes: bytes, source: "test", received: received, app: app),
      reports: [(report, ByteView(report.document(id: id, received: received)))])
    return try #require(receipt.reports.first?.group)
  }

  private func current(_ group: String) throws -> String { try store.groups.get(group).id }

  private func related(_ group: String) throws -> [String] {
    try store.groups.related(to: group).map(\.id)
  }

  @Test("Trap 15: an uncaught exception without the stack on which it was thrown is related")
  func cxxExceptions() throws {
    let bottom = "shop::Cart::total()\nshop::Shop::run()\nshop::Loop::turn()\nmain"
    let thrown = try add("__cxa_throw\nshop::Cart::fail()\n\(bottom)") {
      $0.reason.signal = "SIGABRT"
    }
    // Only the destructor through which it left remains.
    let unwound = try add(
      "raise\nabort\n__gnu_cxx::__verbose_terminate_handler()\nstd::terminate()\n"
        + "shop::Cart::~Cart()\n\(bottom)"
    ) { $0.reason.signal = "SIGABRT" }
    #expect(try current(thrown) != current(unwound))
    #expect(try related(thrown) == [unwound] && related(unwound) == [thrown])
  }

  @Test("Trap 44: a handled error and a crash in one function are related")
  func handledAndCrashed() throws {
    let stack = "shop::f()\nshop::run()\nmain"
    let crash = try add(stack)
    let handled = try add(stack) { $0.kind = .handled }
    #expect(crash != handled)
    #expect(try related(crash) == [handled] && related(handled) == [crash])
  }

  @Test("Trap 49: names that a privacy filter replaced in part are linked")
  func filteredNames() throws {
    let bottom = "shop::Net::open(int)\nshop::Shop::load()\nshop::Loop::turn()\nmain"
    let whole = try add("*net_connect\n\(bottom)")
    let filtered = try add("*net_connusername\n\(bottom)")
    #expect(try current(whole) == current(filtered))
  }

  @Test("Trap 54: victims of one writer are related only if their frames agree, and never linked")
  func victims() throws {
    let groups = try (0..<40).map { number in
      try add(
        "malloc_printerr\n_int_free\nfree\nshop::Victim\(number)::drop()\n"
          + "shop::caller\(number)()\nmain")
    }
    #expect(try Set(groups.map(current)).count == 40)
    for group in groups { #expect(try related(group).isEmpty) }
    let like = try add(
      "malloc_printerr\n_int_free\nfree\nshop::Victim7::clear()\nshop::caller7()\nmain")
    #expect(try current(like) == like)
    #expect(try related(like) == [groups[7]] && related(groups[7]) == [like])
  }

  @Test("Trap 57: two products that crash in one library are related")
  func products() throws {
    let stack = "codec::decode()\ncodec::open()\nmain"
    let (shop, bank) = (try add(stack), try add(stack, app: "bank"))
    #expect(shop != bank)
    #expect(try related(shop) == [bank] && related(bank) == [shop])
    #expect(try store.groups.related(to: shop, isOfAllApps: false).isEmpty)
  }

  @Test(
    "Trap 59: a function with another name in the next version is related, or linked by a limit")
  func renamed() throws {
    let bottom = "shop::Cart::sum()\nshop::Cart::pay()\nshop::Shop::order()\nshop::run()\nmain"
    let old = try add("shop::Cart::total()\n\(bottom)")
    let new = try add("shop::Cart::totalOf()\n\(bottom)", version: "2.0")
    #expect(try current(old) != current(new))
    let found = try store.groups.related(to: new)
    #expect(found.map(\.id) == [old])
    let likeness = try #require(found.first?.millionths)
    try store.apps.setLinking(.own(.from(hundredths: likeness / 10_000)), of: "shop")
    #expect(try current(old) == current(new))
  }
}
