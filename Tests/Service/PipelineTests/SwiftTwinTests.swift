import Bytes
import CrashModel
import Grouping
import ReportFormats
import Testing

/// One crash of a Swift program as the runtime's backtracer prints it, as text and as JSON.
@Suite("Twins of Swift's backtracer")
struct SwiftTwinTests {
  struct Twin: CustomTestStringConvertible {
    let name: String
    let what: String
    let frames: [SwiftTwinFrame]
    /// The signatures' texts.
    let text: String
    let json: String

    init(_ name: String, _ what: String, _ frames: String, text: String, json: String) {
      self.name = name
      self.what = what
      self.frames = frames.split(separator: "\n").flatMap {
        $0 == "dying" ? Self.dying : [SwiftTwinFrame($0)]
      }
      self.text = text
      self.json = json
    }

    var testDescription: String { name }

    /// The frames above every failed check of an unoptimised program.
    private static let dying = [
      "- libswiftCore.so $ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtFySRys5UInt8VGXEfU_yAMXEfU_ 623 = closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)",
      "r libswiftCore.so $ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF 302 = _assertionFailure(_:_:file:line:flags:)",
    ].map { SwiftTwinFrame($0) }

    var asText: String {
      """
      *** Program crashed: \(what) at 0x0000558000001003 ***

      Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

      Thread 0 "shop" crashed:

      \(frames.enumerated().map { $1.textLine($0) }.joined(separator: "\n"))
      ...

      Images (1 omitted):

      0x0000558000000000–0x0000558000100000 0102030405060708090a0b0c0d0e0f1011121314 shop /opt/shop/bin/shop
      0x00007f0000000000–0x00007f0000900000 2102030405060708090a0b0c0d0e0f1011121314 libswiftCore.so /usr/lib/swift/linux/libswiftCore.so

      Backtrace took 0.01s

      """
    }

    var asJSON: String {
      """
      {"timestamp": "2026-11-22T19:31:05.073464Z", "kind": "crashReport", "description": "\(what)", \
      "faultAddress": "0x0000558000001003", "platform": "Linux (Debian GNU/Linux 12 (bookworm))", \
      "architecture": "x86_64", "threads": [{"name": "shop", "crashed": true, "registers": {}, "frames": [\
      \(frames.map(\.jsonObject).joined(separator: ", ")), {"kind": "truncated"}]}], "omittedImages": 1, \
      "images": [{"name": "shop", "buildId": "0102030405060708090a0b0c0d0e0f1011121314", \
      "path": "/opt/shop/bin/shop", "baseAddress": "0x0000558000000000", \
      "endOfText": "0x0000558000100000"}, {"name": "libswiftCore.so", \
      "buildId": "2102030405060708090a0b0c0d0e0f1011121314", \
      "path": "/usr/lib/swift/linux/libswiftCore.so", "baseAddress": "0x00007f0000000000", \
      "endOfText": "0x00007f0000900000"}], "backtraceTime": 0.0037}
      """
    }
  }

  private func signature(of report: String) throws -> Signature {
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(report.utf8))
    #expect(reports.count == 1)
    let first = try #require(reports.first)
    return Signer(rules: .standard).signature(of: first, app: "shop")
  }

  @Test("A crash as text and as JSON is one group", arguments: twins)
  func oneGroup(twin: Twin) throws {
    let text = try signature(of: twin.asText)
    let json = try signature(of: twin.asJSON)
    #expect(
      text.key == json.key || json.alternativeKeys.contains(text.key)
        || text.alternativeKeys.contains(json.key))
    #expect(text.text == twin.text)
    #expect(json.text == twin.json)
  }

  @Test("Different functions of an optimised program do not merge in the library's")
  func apart() throws {
    let array =
      "is shop $sSayxSicigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>"
    let item = Twin(
      "item", "Illegal instruction",
      "\(array)\n- shop $s4Shop4CartV4itemyS2iF 19 = Cart.item(_:) @ /src/Cart.swift:4:52",
      text: "", json: "")
    let draw = Twin(
      "draw", "Illegal instruction",
      "\(array)\n- shop $s4Shop4BankC4drawyS2iF 42 = Bank.draw(_:) @ /src/Bank.swift:24:72",
      text: "", json: "")
    for (one, other) in [(item.asText, draw.asText), (item.asJSON, draw.asJSON)] {
      let (one, other) = (try signature(of: one), try signature(of: other))
      let keys = Set([one.key] + one.alternativeKeys)
      #expect(keys.isDisjoint(with: [other.key] + other.alternativeKeys))
    }
  }

  @Test(
    "A subscript that an app adds to an array has no labels in text, and goes by its caller there")
  func subscripts() throws {
    let twin = Twin(
      "safe", "Illegal instruction",
      """
      dying
      r shop $sSa4ShopE4safexSi_tcig 52 = Array.subscript.getter @ /src/Lists.swift:4:71
      r shop $s4Shop4CartV4itemyS2iF 67 = Cart.item(_:) @ /src/Cart.swift:4:52
      """, text: "", json: "")
    let text = try signature(of: twin.asText)
    let json = try signature(of: twin.asJSON)
    #expect(text.text == "Cart.item(_:)" && json.text == "Shop.Array.subscript.getter")
    #expect(json.alternativeKeys.contains(text.key))
  }

  /// Crashes of two programs, built by Swift 6.3 for Linux without and with optimisation.
  static let twins = [
    Twin(
      "an index of an array, release", "Illegal instruction",
      """
      is shop $sSayxSicigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>
      - shop $s4Shop4CartV4itemyS2iFTf4nx_n 19 = specialized Cart.item(_:) @ /src/Cart.swift:4:52
      """, text: "Cart.item(_:)", json: "Shop.Cart.item(_:)"),
    Twin(
      "a missing key, release",
      "Swift runtime failure: Unexpectedly found nil while unwrapping an Optional value",
      """
      is shop Swift runtime failure: Unexpectedly found nil while unwrapping an Optional value 0 = Swift runtime failure: Unexpectedly found nil while unwrapping an Optional value @ //<compiler-generated>
      i shop $sSDyq_SgxcigSS_SiTg5 0 = specialized Dictionary.subscript.getter @ /src/Cart.swift:5:58
      - shop $s4Shop4CartV4nameySiSSFTf4nx_n 33 = specialized Cart.name(_:) @ /src/Cart.swift:5:55
      """, text: "Cart.name(_:)", json: "Shop.Cart.name(_:)"),
    Twin(
      "removeFirst of nothing, release", "Illegal instruction",
      """
      is shop $sSmsE11removeFirst7ElementQzyFSaySiG_Tg5 0 = specialized RangeReplaceableCollection.removeFirst() @ //<compiler-generated>
      - shop $s4Shop4CartV3popSiyF 33 = Cart.pop() @ /src/Cart.swift:12:53
      """, text: "Cart.pop()", json: "Shop.Cart.pop()"),
    Twin(
      "a slice, release", "Illegal instruction",
      """
      is shop $sSays10ArraySliceVyxGSnySiGcigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>
      - shop $s4Shop4CartV5sliceys10ArraySliceVySiGSiFTf4nx_g 35 = specialized Cart.slice(_:) @ /src/Cart.swift:13:65
      """, text: "Cart.slice(_:)", json: "Shop.Cart.slice(_:)"),
    Twin(
      "in the closure of sorted, release", "Illegal instruction",
      """
      is shop $sSayxSicigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>
      - shop $sSMsSKRzrlE14_insertionSort6within9sortedEnd2byySny5IndexSlQzG_AFSb7ElementSTQz_AItKXEtKFSrySiG_Tg5028$s4Shop4CartV4sortSaySiGyFSbN9_SitXEfU_4Shop0K0VTf1nncn_nTf4nnngX_n 125 = specialized MutableCollection<>._insertionSort(within:sortedEnd:by:) @ /src/Cart.swift:19:69
      """, text: "SIGILL | Array.subscript.getter", json: "SIGILL | Swift.Array.subscript.getter"),
    Twin(
      "a key twice, release", "Illegal instruction",
      """
      - libswiftCore.so $ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF 225 = _assertionFailure(_:_:file:line:flags:)
      """, text: "SIGILL | _assertionFailure(_:_:file:line:flags:)",
      json: "SIGILL | Swift._assertionFailure(_:_:file:line:flags:)"),
    Twin(
      "a generic function, release", "Illegal instruction",
      """
      is shop $sSayxGSlsSly7ElementQz5IndexQzcirTWSi_Tg5 0 = specialized protocol witness for Collection.subscript.read in conformance [A] @ //<compiler-generated>
      - shop $s4Shop7genericy7ElementQzxSlRzlFSaySiG_Tg5 15 = specialized generic<A>(_:) @ /src/Cart.swift:30:68
      """, text: "generic<T>(_:)", json: "Shop.generic<T>(_:)"),
    Twin(
      "an index of an array, debug", "Illegal instruction",
      """
      dying
      r libswiftSwiftOnoneSupport.so $sSayxSicigs6UInt64V_Tg5Tm 84 = specialized Array.subscript.getter
      r shop $s4Shop4CartV4itemyS2iF 67 = Cart.item(_:) @ /src/Cart.swift:4:52
      r shop async_Main 1337 = async_Main @ /src/Cart.swift:33:25
      """, text: "Cart.item(_:)", json: "Shop.Cart.item(_:)"),
    Twin(
      "a generic function, debug", "Illegal instruction",
      """
      dying
      r libswiftCore.so $sSayxSicir 115 = Array.subscript.read
      rt libswiftCore.so $sSayxGSlsSly7ElementQz5IndexQzcirTW 54 = protocol witness for Collection.subscript.read in conformance [A]
      r shop $s4Shop7genericy7ElementQzxSlRzlF 282 = generic<A>(_:) @ /src/Cart.swift:30:68
      r shop async_Main 12127 = async_Main @ /src/Cart.swift:56:23
      """, text: "generic<T>(_:)", json: "Shop.generic<T>(_:)"),
    Twin(
      "an extension of Array, debug", "Illegal instruction",
      """
      dying
      r libswiftCore.so $sSayxSicigTm 124 = Array.subscript.getter
      r shop $sSa4ShopE3rowyxSiF 40 = Array.row(_:) @ /src/Lists.swift:3:70
      r shop async_Main 2804 = async_Main @ /src/Lists.swift:46:28
      """, text: "Array.row(_:)", json: "Shop.Array.row(_:)"),
    Twin(
      "an extension of Array of integers, debug", "Illegal instruction",
      """
      dying
      r libswiftSwiftOnoneSupport.so $sSayxSicigs6UInt64V_Tg5Tm 84 = specialized Array.subscript.getter
      r shop $sSa4ShopSiRszlE5totalyS2iF 36 = Array<A>.total(_:) @ /src/Lists.swift:5:89
      r shop async_Main 3652 = async_Main @ /src/Lists.swift:48:30
      """, text: "Array<T>.total(_:)", json: "Shop.Array<T>.total(_:)"),
    Twin(
      "a local function, debug", "Illegal instruction",
      """
      dying
      r shop $s4Shop5outeryS2iF5innerL_yS2iF 112 = inner #1 (_:) in outer(_:) @ /src/Lists.swift:26:93
      r shop $s4Shop5outeryS2iF 24 = outer(_:) @ /src/Lists.swift:26:107
      r shop async_Main 11637 = async_Main @ /src/Lists.swift:68:21
      """, text: "inner(_:) in outer(_:)", json: "inner(_:) in Shop.outer(_:)"),
    Twin(
      "a closure of main.swift, debug", "Illegal instruction",
      """
      dying
      r shop $s4ShopS2iXEfU_ 112 = closure #1 in  @ /src/Lists.swift:76:33
      r shop $s4Shop5applyyS3iXE_SitF 52 = apply(_:_:) @ /src/Lists.swift:36:65
      r shop async_Main 14673 = async_Main @ /src/Lists.swift:76:23
      """, text: "closure", json: "closure in Shop"),
    Twin(
      "an operator, debug", "Illegal instruction",
      """
      dying
      r shop $s4Shop3CmpV1loiySbAC_ACtFZ 131 = static Cmp.< infix(_:_:) @ /src/Lists.swift:40:83
      rt shop $s4Shop3CmpVSLAASL1loiySbx_xtFZTW 14 = protocol witness for static Comparable.< infix(_:_:) in conformance Cmp @ //<compiler-generated>
      r libswiftCore.so $sSTsSL7ElementRpzrlE3maxABSgyF 749 = Sequence<>.max()
      r shop async_Main 20202 = async_Main @ /src/Lists.swift:88:46
      """, text: "Cmp.<(_:_:)", json: "Shop.Cmp.<(_:_:)"),
    Twin(
      "insert, in main.swift, debug", "Illegal instruction",
      """
      dying
      r libswiftCore.so $sSa11_checkIndexyySiF 136 = Array._checkIndex(_:)
      r libswiftCore.so $sSa6insert_2atyxn_SitF 79 = Array.insert(_:at:)
      r shop async_Main 23495 = async_Main @ /src/Lists.swift:94:31
      """, text: "Array.insert(_:at:) | async_Main", json: "Swift.Array.insert(_:at:) | async_Main"),
    Twin(
      "a lazy closure, debug", "Illegal instruction",
      """
      dying
      r shop $s4ShopS2icfU3_ 122 = closure #5 in  @ /src/Lists.swift:80:52
      r libswiftCore.so $ss15LazyMapSequenceV8IteratorV4nextq_SgyF 352 = LazyMapSequence.Iterator.next()
      r libswiftCore.so $ss30_copySequenceToContiguousArrayys0dE0Vy7ElementQzGxSTRzlF 707 = _copySequenceToContiguousArray<A>(_:)
      r libswiftCore.so $ss16IndexingIteratorVyxGSTsST22_copyToContiguousArrays0eF0Vy7ElementQzGyFTWTm 23 = protocol witness for Sequence._copyToContiguousArray() in conformance IndexingIterator<A>
      rt libswiftCore.so $sSaySayxGqd__c7ElementQyd__RszSTRd__lufC 18 = Array.init<A>(_:)
      r shop async_Main 16805 = async_Main @ /src/Lists.swift:80:23
      """, text: "closure", json: "closure in Shop"),
    Twin(
      "a stride of nothing, debug", "Illegal instruction",
      """
      dying
      r libswiftCore.so $ss6stride4from2to2bys8StrideToVyxGx_x0E0QztSxRzlFTm 516 = stride<A>(from:to:by:)
      r libswiftCore.so $ss6stride4from2to2bys8StrideToVyxGx_x0E0QztSxRzlF 27 = stride<A>(from:to:by:)
      r shop async_Main 25876 = async_Main @ /src/Lists.swift:99:25
      """, text: "stride<T>(from:to:by:) | async_Main",
      json: "Swift.stride<T>(from:to:by:) | async_Main"),
    Twin(
      "removeLast of nothing, debug", "Illegal instruction",
      """
      dying
      r libswiftCore.so $sSmsSKRzrlE10removeLast7ElementSTQzyFTm 501 = RangeReplaceableCollection<>.removeLast()
      r shop async_Main 23055 = async_Main @ /src/Lists.swift:93:57
      """, text: "RangeReplaceableCollection<T>.removeLast() | async_Main",
      json: "Swift.RangeReplaceableCollection<T>.removeLast() | async_Main"),
    Twin(
      "a byte of Data, debug", "Illegal instruction",
      """
      - libFoundationEssentials.so $s20FoundationEssentials4DataV15_RepresentationOys5UInt8VSicig 439 = Data._Representation.subscript.getter
      r shop async_Main 33981 = async_Main @ /src/Lists.swift:113:32
      """, text: "Data._Representation.subscript.getter | async_Main",
      json: "FoundationEssentials.Data._Representation.subscript.getter"),
    Twin(
      "an extension of Dictionary, release", "Illegal instruction",
      """
      is shop $sSDyq_SgxcigSi_SiTg5 0 = specialized Dictionary.subscript.getter @ //<compiler-generated>
      i shop Swift runtime failure: Unexpectedly found nil while unwrapping an Optional value 0 = Swift runtime failure: Unexpectedly found nil while unwrapping an Optional value @ /src/Lists.swift:11:74
      - shop $sSD4ShopE4needyq_xFSi_SiTg5 35 = specialized Dictionary.need(_:) @ /src/Lists.swift:11:77
      """, text: "Dictionary.need(_:)", json: "Shop.Dictionary.need(_:)"),
    Twin(
      "an extension of Array of integers, release", "Illegal instruction",
      """
      is shop $sSayxSicigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>
      - shop $sSa4ShopSiRszlE5totalyS2iF 24 = Array<A>.total(_:) @ /src/Lists.swift:5:89
      """, text: "Array<T>.total(_:)", json: "Shop.Array<T>.total(_:)"),
    Twin(
      "in the operator of sorted, release", "Swift runtime failure: Division by zero",
      """
      is shop Swift runtime failure: Division by zero 0 = Swift runtime failure: Division by zero @ //<compiler-generated>
      - shop $sSr15_stableSortImpl2byySbx_xtKXE_tKF4Shop3CmpV_Tg5057$sSTsSL7ElementRpzrlE6sortedSayABGyFSbAB_ABtcfu_Say4Shop3F8VG_Tt1G5Tf1cn_n 105 = specialized UnsafeMutableBufferPointer._stableSortImpl(by:) @ /src/Lists.swift:40:83
      """, text: "Swift runtime failure | UnsafeMutableBufferPointer._stableSortImpl(by:)",
      json: "Swift runtime failure | Swift.UnsafeMutableBufferPointer._stableSortImpl(by:)"),
    Twin(
      "preconditionFailure, release", "Swift runtime failure: precondition failure",
      """
      is shop Swift runtime failure: precondition failure 0 = Swift runtime failure: precondition failure @ //<compiler-generated>
      i shop $sSS2eeoiySbSS_SStFZ 0 = static String.== infix(_:_:) @ /src/Lists.swift:108:29
      - shop async_Main 9175 = async_Main @ /src/Lists.swift:45:29
      """, text: "String.==(_:_:) | async_Main", json: "Swift.String.==(_:_:) | async_Main"),
    Twin(
      "a prefix, release", "Illegal instruction",
      """
      is shop $sSlsE6prefixy11SubSequenceQzSiFSaySiG_Tg5 0 = specialized Collection.prefix(_:) @ //<compiler-generated>
      - shop async_Main 12930 = async_Main @ /src/Lists.swift:96:26
      """, text: "Collection.prefix(_:) | async_Main",
      json: "Swift.Collection.prefix(_:) | async_Main"),
    Twin(
      "a filter, release", "Swift runtime failure: Division by zero",
      """
      is shop Swift runtime failure: Division by zero 0 = Swift runtime failure: Division by zero @ //<compiler-generated>
      i shop $ss14_ArrayProtocolPsE6filterySay7ElementQzGSbAEKXEKFSaySiG_Tg5 0 = specialized _ArrayProtocol.filter(_:) @ /src/Lists.swift:79:43
      - shop async_Main 8795 = async_Main @ /src/Lists.swift:79:32
      """, text: "_ArrayProtocol.filter(_:) | async_Main",
      json: "Swift._ArrayProtocol.filter(_:) | async_Main"),
    Twin(
      "a lazy property, release", "Illegal instruction",
      """
      is shop $sSays10ArraySliceVyxGSnySiGcigSi_Tg5 0 = specialized Array.subscript.getter @ //<compiler-generated>
      - shop $s4Shop4LazyV5tableSaySiGvg 391 = Lazy.table.getter @ /src/Lists.swift:32:47
      """, text: "Lazy.table.getter", json: "Shop.Lazy.table.getter"),
    Twin(
      "an operator without a type, release", "Illegal instruction",
      """
      - shop $s4Shop3lpgoiyS2i_SitFTm 57 = <+> infix(_:_:)
      """, text: "<+>(_:_:)", json: "Shop.<+>(_:_:)"),
    Twin(
      "an extension of String, release", "Illegal instruction",
      """
      dying
      r libswiftCore.so $sSS5index_8offsetBySS5IndexVAD_SitF 1420 = String.index(_:offsetBy:)
      r shop $sSS4ShopE6letterySJSiF 28 = String.letter(_:) @ /src/Lists.swift:6:82
      """, text: "String.letter(_:)", json: "Shop.String.letter(_:)"),
  ]
}
