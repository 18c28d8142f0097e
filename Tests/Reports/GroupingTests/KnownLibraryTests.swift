import CrashModel
import Testing

@testable import Grouping

/// Libraries that apps bring along are not the app's own code if app code is below them.
@Suite("Known libraries") struct KnownLibraryTests {
  private typealias Call = (function: String, file: String)

  private static func text(
    _ calls: [Call], type: String = "TillError", marked: Set<Int> = []
  ) -> String {
    var report = CrashReport(format: ReportFormat("language-trace"))
    report.reason.type = type
    var frames = calls.map {
      Frame(position: .returnAddress, function: $0.function, file: $0.file, line: 12)
    }
    for index in marked { frames[index].inApp = true }
    report.reason.exception = LanguageException(type: type, message: "no till", frames: frames)
    return Signer(rules: .v1).signature(of: report, app: "tern").text
  }

  private static let own: Call = ("tern.Till.open", "Till.java")

  @Test(
    "The app's function ends the walk, and the library's failing function comes before it",
    arguments: [
      ("org.hibernate.internal.SessionImpl.find", "SessionImpl.java"),
      ("com.google.gson.stream.JsonReader.syntaxError", "JsonReader.java"),
      ("com.fasterxml.jackson.databind.ObjectMapper.readValue", "ObjectMapper.java"),
      ("okhttp3.internal.http.RealInterceptorChain.proceed", "RealInterceptorChain.kt"),
      ("org.postgresql.core.v3.QueryExecutorImpl.execute", "QueryExecutorImpl.java"),
      ("Newtonsoft.Json.JsonSerializer.Deserialize", "JsonSerializer.cs"),
      ("Npgsql.NpgsqlConnector.Open", "NpgsqlConnector.cs"),
      ("github.com/lib/pq.(*conn).query", "/go/src/github.com/lib/pq/conn.go"),
      ("render", "/usr/lib/ruby/gems/3.2.0/gems/tilt-2.1.0/lib/tilt/template.rb"),
      ("send", "/usr/lib/ruby/3.2.0/net/http.rb"), ("tap", "<internal:kernel>"),
      ("Monolog\\Logger->write", "/app/vendor/monolog/monolog/src/Monolog/Logger.php"),
      ("DBI::connect", "/usr/lib/x86_64-linux-gnu/perl5/5.36/DBI.pm"),
      ("Element.rebuild", "package:flutter/src/widgets/framework.dart"),
      ("int.parse", "dart:core-patch/integers_patch.dart"),
      ("dispatch", "https://tern.example/js/jquery-3.7.1.min.js"),
      ("Oi", "https://tern.example/assets/react-dom.production.min.js"),
      ("get", "https://cdn.jsdelivr.net/npm/axios/dist/axios.min.js"),
      ("wrapped", "chrome-extension://abcdef/inject.js"),
      ("std_reset", "/src/third_party/libc++/src/include/__memory/unique_ptr.h"),
    ])
  func below(function: String, file: String) {
    let text = Self.text([(function, file), Self.own])
    #expect(text.hasSuffix(" | tern.Till.open"), "\(text)")
    #expect(text.split(separator: "|").count <= 3)
    // The library's authors see crashes in it, too.
    #expect(!Self.text([(function, file)]).hasSuffix("TillError"))
  }

  @Test("With libraries alone, the first function counts, as the app's does")
  func libraries() {
    let calls: [Call] = [
      ("java.lang.Integer.parseInt", "Integer.java"),
      ("org.apache.commons.cli.Parser.parse", "Parser.java"),
      ("org.apache.commons.cli.Main.run", "Main.java"),
    ]
    #expect(
      Self.text(calls)
        == "TillError | java.lang.Integer.parseInt | org.apache.commons.cli.Parser.parse")
  }

  @Test("Code marked by the report as the app's stays the app's")
  func marks() {
    let calls: [Call] = [("okhttp3.Call.run", "Call.kt"), Self.own]
    #expect(Self.text(calls, marked: [0]) == "TillError | okhttp3.Call.run")
  }

  @Test("Names that only begin alike are the app's")
  func alike() {
    for name in ["org.apachesql.Till.total", "okio3.Till.total", "com.googlegson.Till.total"] {
      #expect(Self.text([(name, "Till.java"), Self.own]) == "TillError | \(name)")
    }
    #expect(
      Self.text([("total", "https://tern.example/js/gems.js"), ("boot", "/app.js")])
        == "TillError | total")
  }

  @Test("In a chain of causes, the one with a function of the app counts")
  func causes() {
    func frame(_ function: String) -> Frame {
      Frame(position: .returnAddress, function: function, file: "T.java", line: 5)
    }
    var report = CrashReport(format: ReportFormat("java-trace"))
    let cause = LanguageException(
      type: "org.postgresql.util.PSQLException", frames: [frame("org.postgresql.Driver.connect")])
    report.reason.exception = LanguageException(
      type: "tern.StoreException", frames: [frame("tern.Store.open")], inner: [cause])
    let text = Signer(rules: .v1).signature(of: report, app: "tern").text
    #expect(text == "tern.StoreException | tern.Store.open")
  }

  @Test(
    "Programs end themselves by functions that say nothing of the reason",
    arguments: ["die", "panic", "fatal", "xfatal_fatal", "tern_assert_failed", "tern::Log::fatal"])
  func helpers(name: String) {
    let text = ReportBuilder(
      """
      abort @ /lib/libc.so.6
      \(name) @ /opt/shop/bin/shop
      shop::open @ /opt/shop/bin/shop
      main @ /opt/shop/bin/shop
      """, signal: "SIGABRT"
    ).text
    #expect(text == "\(name) | shop::open")
  }

  @Test("Generated code of Java is not a script, whatever its file name")
  func generated() {
    for file in ["<generated>", "SourceFile", "Unknown Source", "r8-map-id-0a1b2c"] {
      #expect(
        Self.text([("java.util.ArrayList.get", file), ("tern.Till$$Proxy.open", file), Self.own])
          == "TillError | java.util.ArrayList.get | tern.Till.open", "\(file)")
    }
  }

  @Test("Node's own old files are the bottom of a stack")
  func oldNode() {
    #expect(
      Self.text([("total", "/app/till.js"), ("run", "bootstrap_node.js")]) == "TillError | total")
    #expect(
      Self.text([("emitOne", "events.js"), ("total", "/app/till.js")]) == "TillError | total")
  }
}
