import Grouping
import Testing

@Suite("Parsing custom rules")
struct CustomRulesParserTests {
  @Test("Every matcher and action is read")
  func all() throws {
    let rules = try CustomRules(
      parsing: #"""
        # matchers ...                              actions
        platform:apple  image:MyAnalytics*           class=system
        function:"Acme::Assert*"                     class=death above
        module:libfoo.so function:dispatch_*         class=glue   # a remark

        function:Result::unwrap                      extend
        function:/^Handler\d+::run$/                 name="Handler::run"
        category:handled type:NetworkError*          fingerprint="network" {category}
        message:"*disk full*"                        fingerprint="disk full"
        caller[function:Cart::*] function:memcpy     class=app
        type:TimeoutError                            fingerprint={default} {tag.region}
        !callee[function:"-[NSView draw]"] file:"/src/*" in_app:true -app
        family:native product:shop thread:main version:>=2.1 version:<3 !tag.a.b:x* max-frames=2
        version:1.0..1.9 version:"2.*" link=0.65 stop below
        link=off
        """#)
    #expect(rules.count == 13)
  }

  @Test(
    "A mistake is named with its line and column",
    arguments: [
      ("funtion:a class=app", 1, "there is no condition 'funtion'; did you mean 'function'?"),
      ("function:a clas=app", 12, "there is no action 'clas'; did you mean 'class'?"),
      (
        "function:a class=deat", 18, "there is no class 'deat'; did you mean 'death'?"
      ),
      ("function:a", 11, "an action is missing, such as class=system"),
      ("class=app function:a", 11, "a condition after an action; conditions come first"),
      ("class=app", 1, "without a condition this would hold for every frame"),
      ("function:\"a class=app", 10, "the quotation mark is not closed"),
      ("function:/a class=app", 10, "the / that ends the pattern is missing"),
      ("function:/(/ class=app", 12, "a ) is missing"),
      (
        "file:/usr/src/* class=app", 11,
        "after /pattern/ a blank is expected; put paths in quotation marks"
      ),
      ("caller[category:oom] function:a class=app", 8, "'category' is not a condition of a frame"),
      ("caller[function:a class=app", 19, "in caller[ ] stand conditions of a frame"),
      (
        "callr[function:a] class=app", 1,
        "there is no condition 'callr'; did you mean 'caller'? before ["
      ),
      ("function: class=app", 10, "a value is missing"),
      ("version:>= link=off", 9, "a value is missing"),
      ("in_app:maybe +app", 8, "in_app is true or false, not 'maybe'"),
      ("function:a max-frames=11", 23, "max-frames is from 1 to 10"),
      ("function:a link=2", 17, "link is off, or a likeness from 0.01 to 1, not '2'"),
      ("function:a above above", 18, "'above' is repeated"),
      ("function:a above=1", 17, "'above' takes no value"),
      ("function:a class", 17, "= is missing after 'class'"),
      ("function:a +app -app", 17, "+app and -app exclude each other"),
      (
        "function:a fingerprint={tga.x}", 24,
        "there is no placeholder '{tga.x}'; there are {default}, {category}, {type}, {tag.NAME}"
      ),
      ("!above", 1, "after ! a condition is expected"),
      ("function:a name=\"\u{202e}b\"", 17, "the text has characters that cannot be shown"),
      ("function:a\u{7} class=app", 11, "a control character"),
    ])
  func mistakes(_ line: String, _ column: Int, _ reason: String) throws {
    let error = try #require(throws: CustomRulesError.self) {
      try CustomRules(parsing: "# first\n\(line)\nfunction:b class=app")
    }
    #expect(error.problems.map(\.description) == ["2:\(column): \(reason)"])
  }

  @Test("All mistakes in a file are reported, and none of its rules applies")
  func several() throws {
    let error = try #require(throws: CustomRulesError.self) {
      try CustomRules(parsing: "a:b c\r\nfunction:x class=app\r\nfunction:x clas=app\n")
    }
    #expect(error.problems.map(\.line) == [1, 3])
  }

  @Test("Files, lines, rules and conditions have limits")
  func limits() throws {
    func isRefused(_ text: String) -> Bool {
      do throws(CustomRulesError) {
        _ = try CustomRules(parsing: text)
        return false
      } catch { return true }
    }
    let line = "function:a class=app"
    #expect(!isRefused(Array(repeating: line, count: 1_000).joined(separator: "\n")))
    #expect(isRefused(Array(repeating: line, count: 1_001).joined(separator: "\n")))
    #expect(isRefused(String(repeating: "#\n", count: 140_000)))
    #expect(isRefused("# " + String(repeating: "a", count: 5_000)))
    #expect(isRefused(String(repeating: "function:a ", count: 33) + "class=app"))
    #expect(isRefused("function:" + String(repeating: "a", count: 513) + " class=app"))
  }
}
