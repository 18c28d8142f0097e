/// Source files of bundled libraries, by the folders of package managers. A library's developers crash in it
/// too, so these count as the app if no other code of the app is below.
extension SourceOwner {
  /// The rule by which `file` belongs to such a library, or `nil`.
  static func packageRule(_ file: String) -> String? {
    var path = NameBytes(file.utf8.prefix(SigningLimits.nameBytes))
    for index in path.indices where path[index] == UInt8(ascii: "\\") {
      path[index] = UInt8(ascii: "/")
    }
    if path.has("package:") { return dartRule(path) }
    if path.has("dart:") || path.has("org-dartlang-sdk:") {
      return "source file of Dart's library"
    }
    if path.has("<internal:") { return "source file of Ruby's library" }
    for (folders, rule) in folders {
      for folder in folders where path.find(folder) != nil { return rule }
    }
    let name = fileName(path)
    switch ending(of: name) {
    case "rb":
      if path.find("/lib/ruby/") != nil || path.find("/share/ruby/") != nil {
        return "source file of Ruby's library"
      }
      if path.find("/vendor/bundle/") != nil { return "source file of a gem" }
    case "php":
      if path.find("/vendor/") != nil || path.has("vendor/") || path.has("phar:")
        || path.find("/share/php/") != nil || path.find("/wp-includes/") != nil
      {
        return "source file of a dependency of PHP"
      }
    case "pm", "pl", "al":
      if path.find("/perl5/") != nil || path.find("/share/perl/") != nil
        || path.find("/site_perl/") != nil || path.find("/vendor_perl/") != nil
        || path.find("/lib/perl/") != nil || path.find("/Perl/lib/") != nil
      {
        return "source file of a module of Perl"
      }
    case "ex", "erl":
      if path.find("/deps/") != nil || path.has("deps/") || path.has("lib/ex_unit/") {
        return "source file of a dependency of Elixir"
      }
    case "lua":
      if path.find("/share/lua/") != nil { return "source file of a module of Lua" }
    case "jl":
      if path.find("/.julia/packages/") != nil { return "source file of a package of Julia" }
    case "js", "mjs", "cjs", "ts", "mts", "jsx", "tsx", "bundle": return scriptRule(path, name)
    case "py": return pythonPackageRule(path)
    default: break
    }
    return nil
  }

  /// Whether `file` is one of Node's files that run scripts, as named up to version 14: without a folder.
  static func isOldNode(_ file: String) -> Bool {
    file.utf8.count <= 24 && oldNode.contains(file)
  }

  private static let oldNode: Set<String> = [
    "_http_client.js", "_http_common.js", "_http_incoming.js", "_http_outgoing.js",
    "_http_server.js", "_stream_readable.js", "_stream_transform.js", "_stream_writable.js",
    "_tls_wrap.js", "bootstrap_node.js", "events.js", "module.js", "net.js", "node.js",
    "timers.js",
  ]

  private static let folders: [([StaticString], String)] = [
    (["/gems/", "/rubygems/"], "source file of a gem"),
    (
      [
        "libc++/src/include/", "libcxx/include/", "libcxx/src/", "/c++/v1/", "libstdc++-v3/",
        "/VC/Tools/MSVC/", "/VC/include/",
      ], "source file of C++'s library"
    ),
    (["/Pods/", "/SourcePackages/checkouts/", "/.build/checkouts/"], "source file of a package"),
    (["-extension://"], "script of an extension of the browser"),
  ]

  /// `package:flutter/src/widgets/framework.dart`
  private static func dartRule(_ path: NameBytes) -> String? {
    let name = path[8...].prefix { $0 != UInt8(ascii: "/") }
    return dartPackages.contains(NameBytes(name).text) ? "source file of a package of Dart" : nil
  }

  /// Packages that many apps have; the app is one too.
  private static let dartPackages: Set<String> = [
    "async", "bloc", "characters", "collection", "crypto", "dio", "drift", "ffi", "firebase_auth",
    "firebase_core", "firebase_messaging", "flutter", "flutter_bloc", "flutter_riverpod", "get",
    "get_it", "go_router", "graphql", "hive", "http", "intl", "isar", "json_annotation", "logging",
    "meta", "mobx", "path", "path_provider", "platform", "provider", "retrofit", "riverpod",
    "rxdart",
    "sentry", "sentry_flutter", "shared_preferences", "sky_engine", "sqflite", "sqflite_common",
    "stack_trace", "stream_channel", "test_api", "url_launcher", "vector_math",
    "web_socket_channel",
  ]

  private static func scriptRule(_ path: NameBytes, _ name: NameBytes) -> String? {
    for host: StaticString in [
      "://cdn.jsdelivr.net/", "://unpkg.com/", "://cdnjs.cloudflare.com/",
      "://ajax.googleapis.com/",
      "://code.jquery.com/", "://esm.sh/", "://cdn.skypack.dev/", "://deno.land/", "/.yarn/cache/",
      "/bower_components/", "webpack/runtime/", "webpack/bootstrap",
    ] where path.find(host) != nil { return "script of a library" }
    for library: StaticString in [
      "jquery", "react-dom", "react.", "vue.", "vue-", "angular", "polyfill", "lodash",
      "underscore",
      "backbone", "ember.", "bootstrap", "moment", "zone.", "zone-", "vendor", "chunk-vendors",
      "prototype.", "mootools", "dojo.", "ext-all", "d3.", "three.", "rxjs", "core-js",
      "require.", "gtm.", "analytics", "fbevents", "framework-",
    ] where name.has(library) { return "script of a library" }
    return nil
  }

  private static func pythonPackageRule(_ path: NameBytes) -> String? {
    for folder: StaticString in [
      ".egg/", "/pyshared/", "/pymodules/", "/bazel-out/pip", "/pypi__", "python_runtime/",
    ] where path.find(folder) != nil { return "source file of a dependency of Python" }
    return nil
  }

  private static func fileName(_ path: NameBytes) -> NameBytes {
    let path = path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    return NameBytes(path[start...]).map(\.lowercased)
  }

  private static func ending(of name: NameBytes) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.count - dot <= 8 else { return "" }
    return NameBytes(name[(dot + 1)...]).text
  }
}
