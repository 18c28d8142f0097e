import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Reasons nested deeper than any program's")
struct NestedReasonTests {
  /// A report with the given number of levels.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: @Sendable (Int) -> String
  }

  static func indented(_ levels: Int, _ line: (Int) -> String) -> String {
    (0..<levels).map { String(repeating: " ", count: 2 * $0) + line($0) }.joined(separator: "\n")
  }

  static let forms = [
    Form(testDescription: ".NET, one line a cause") { levels in
      "Unhandled exception. System.Exception: 0\n"
        + (1...levels).map { " ---> Shop.Inner: \($0)\n" }.joined()
        + String(
          repeating: "   at Shop.Till.Add(Int32 n) in /src/Till.cs:line 7\n"
            + "   --- End of inner exception stack trace ---\n", count: levels)
        + "   at Shop.Till.Main(String[] args)\n"
    },
    Form(testDescription: ".NET, all in one line") { levels in
      "Unhandled exception. System.Exception: 0"
        + (1...levels).map { " ---> Shop.Inner: \($0)" }.joined()
        + "\n   at Shop.Till.Main(String[] args)\n"
    },
    Form(testDescription: ".NET aggregates") { levels in
      "Unhandled exception. System.AggregateException: One or more errors occurred. (x)\n"
        + (0..<levels).map {
          " ---> (Inner Exception #\($0)) System.AggregateException: x\n   at Shop.Till.Add(Int32 n)\n"
        }.joined() + "<---\n"
    },
    Form(testDescription: "JavaScript causes") { levels in
      "/src/till.js:7\n    throw e;\n    ^\n\n"
        + indented(levels + 1) {
          "\($0 == 0 ? "" : "[cause]: ")Error: \($0)\n    at f (/src/till.js:7:9) {"
        }
        + String(repeating: "\n}", count: levels + 1) + "\n\nNode.js v20.1.0\n"
    },
    Form(testDescription: "Python causes") { levels in
      (0...levels).map {
        "Traceback (most recent call last):\n  File \"till.py\", line 7, in add\n    x\nKeyError: \($0)\n"
      }.joined(
        separator: "\nThe above exception was the direct cause of the following exception:\n\n")
    },
    Form(testDescription: "Python groups") { levels in
      "  + Exception Group Traceback (most recent call last):\n  |   File \"till.py\", line 7, in add\n"
        + "  | ExceptionGroup: 0 (1 sub-exception)\n"
        + (1...levels).map {
          let space = String(repeating: " ", count: 2 * $0)
          return
            "\(space)+-+---------------- 1 ----------------\n\(space)  | ExceptionGroup: \($0) (1 sub-exception)\n"
        }.joined() + String(repeating: " ", count: 2 * levels)
        + "  +------------------------------------\n"
    },
    Form(testDescription: "Java causes") { levels in
      "Exception in thread \"main\" java.lang.Error: 0\n\tat shop.Till.add(Till.java:7)\n"
        + (1...levels).map {
          "Caused by: java.lang.Error: \($0)\n\tat shop.Till.add(Till.java:7)\n\t... 1 more\n"
        }.joined()
    },
    Form(testDescription: "Java, suppressed in suppressed") { levels in
      "Exception in thread \"main\" java.lang.Error: 0\n\tat shop.Till.add(Till.java:7)\n"
        + (1...levels).map {
          let tabs = String(repeating: "\t", count: $0)
          return
            "\(tabs)Suppressed: java.lang.Error: \($0)\n\(tabs)\tat shop.Till.add(Till.java:7)\n"
        }.joined()
    },
    Form(testDescription: "Ruby causes") { levels in
      "till.rb:7:in 'add': 0 (KeyError)\n\tfrom till.rb:9:in '<main>'\n"
        + (1...levels).map {
          "till.rb:7:in 'add': \($0) (KeyError)\n\tfrom till.rb:9:in '<main>'\n"
        }
        .joined()
    },
    Form(testDescription: "PHP, previous exceptions") { levels in
      "PHP Fatal error:  Uncaught Exception: 0 in /src/till.php:7\nStack trace:\n#0 {main}\n"
        + (1...levels).map {
          "\nNext Exception: \($0) in /src/till.php:7\nStack trace:\n#0 {main}\n"
        }
        .joined() + "  thrown in /src/till.php on line 7\n"
    },
    Form(testDescription: "App Center, inner exceptions") { levels in
      let inner = (0..<levels).reduce(#"{"type":"innermost","message":"m"}"#) { inner, level in
        #"{"type":"\#(level)","message":"m","frames":[{"className":"A","methodName":"b"}],"innerExceptions":[\#(inner)]}"#
      }
      return """
        {"type":"managedError","id":"6d6ac2a1-1b5c-4f30-9a3c-5b1f0d1f9d11","timestamp":"2026-03-02T10:00:00Z",\
        "processId":7,"processName":"tern","fatal":true,"appLaunchTimestamp":"2026-03-02T09:59:00Z",\
        "device":{"osName":"Android","osVersion":"14","appVersion":"1.0","appBuild":"1","sdkName":"appcenter.android",\
        "sdkVersion":"5.0.4","locale":"en_US"},"exception":\(inner)}
        """
    },
    Form(testDescription: "Sentry, parts of parts") { levels in
      let inner = (0..<levels).reduce("1") { inner, _ in #"{"a":[\#(inner)]}"# }
      return
        #"{"event_id":"fc6d8c0c43fc4630ad850ee518f1b9d0","platform":"python","exception":{"values":"#
        + #"[{"type":"E","value":"m","stacktrace":{"frames":[{"function":"f"}]}}]},"extra":\#(inner)}"#
    },
    Form(testDescription: "Apple, numbers of a payload") { levels in
      let inner = (0..<levels).reduce("1") { inner, _ in #"{"a":[\#(inner)]}"# }
      return #"{"app_name":"Tern","bug_type":"309"}"# + "\n"
        + #"{"procName":"Tern","ktriageinfo":\#(inner)}"#
    },
  ]

  @Test("They take little stack, and are read or refused", arguments: forms)
  func nested(form: Form) throws {
    for levels in [1, 60, 120, 2_000] {
      let bytes = ByteView(form.text(levels).utf8)
      var outcome: Result<[CrashReport], ParseError>?
      let stack = StackUse.measure {
        outcome = Result { () throws(ParseError) in try FormatRegistry.builtIn.reports(in: bytes) }
      }
      #expect(try #require(stack) <= StackUse.most)
      let reports = try? #require(outcome).get()
      if levels == 1 {
        let reason = try #require(reports?.first?.reason)
        #expect(reason.exception != nil || reports?.first?.format == .appleIPS)
      }
    }
  }
}
