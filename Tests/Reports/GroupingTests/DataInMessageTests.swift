import CrashModel
import Testing

@testable import Grouping

/// Parts of messages that vary from crash to crash, and parts that distinguish bugs.
@Suite("Data in messages") struct DataInMessageTests {
  private func text(_ message: String) -> String { MessageParameters.parameterised(message) }

  @Test(
    "Identifiers of letters and digits are data",
    arguments: [
      ("Failed to load order 'AB-1234'", "Failed to load order 'CD-9999'"),
      ("no file \"IMG_0042.jpg\" here", "no file \"IMG_1187.jpg\" here"),
      ("file IMG_0042.jpg unreadable", "file IMG_1187.jpg unreadable"),
      ("user_12345 is unknown", "user_678 is unknown"), ("order123456", "order98765"),
      ("commit 9fceb02 missing", "commit a1b2c3d missing"),
      ("device iPhone12,1 not supported", "device iPhone15,3 not supported"),
      ("object com.app.Foo@1a2b3c4d is null", "object com.app.Foo@7f9 is null"),
      ("connect to db-3.tern.example:5432", "connect to cache.eu.tern.example:443"),
    ])
  func same(one: String, other: String) {
    #expect(text(one) == text(other))
  }

  @Test(
    "Names of things are not",
    arguments: [
      ("Missing argument 'name'", "Missing argument 'price'"), ("ipv4 failed", "ipv6 failed"),
      ("SHA-256 mismatch", "SHA-512 mismatch"), ("sha256 mismatch", "sha512 mismatch"),
      ("HTTP/1.1 unsupported", "HTTP/2 unsupported"), ("x86_64 only", "arm64 only"),
      ("error TS2304", "error TS2551"), ("in cart.c:12", "in desk.c:12"),
    ])
  func other(one: String, other: String) {
    #expect(text(one) != text(other))
  }

  @Test("Names that only mark the start of a part of a file are not functions")
  func boundaries() {
    for name in ["_etext", "_mh_execute_header", "__bss_start"] {
      var build = ReportBuilder(
        "\(name) @ /opt/shop/bin/shop +0x40\nmain @ /opt/shop/bin/shop +0x80")
      build.report.threads[0].frames[0].symbolOffset = 16
      #expect(build.text.hasSuffix("+0x40"), "\(name): \(build.text)")
    }
  }

  @Test(
    "Routines of more platforms are not the location of a bug",
    arguments: [
      "__aeabi_memcpy", "__aeabi_memset8", "strlen_a15", ".memcpy", "gwp_asan::internal::trap",
      "HF_memcpy",
    ])
  func routines(name: String) {
    #expect(ReportBuilder("\(name)\nshop::total()\n.main").text == "shop::total")
  }

  @Test("Code running at exit is one group with and without names")
  func exits() {
    let stacks = [
      "??\n__run_exit_handlers @ /lib/libc.so.6\nexit @ /lib/libc.so.6\n_start",
      "??\n@ /lib/libc.so.6 +0x10\nexit @ /lib/libc.so.6\n_start",
      "??\nexit @ /lib/libc.so.6\n_start",
    ]
    for stack in stacks { #expect(ReportBuilder(stack).text == "SIGSEGV | exit") }
    #expect(
      ReportBuilder("shop::~Till()\n__run_exit_handlers\nexit\nmain").text
        == "shop::~Till")
  }
}
