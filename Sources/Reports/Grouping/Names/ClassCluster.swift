/// Private subclasses of Foundation's public classes: which of them an object has depends on the number of
/// elements, how it was created and the system's version.
enum ClassCluster {
  /// A method of a private class as one of the public class, `-[__NSArrayM objectAtIndexedSubscript:]` as
  /// `-[NSArray objectAtIndex:]`.
  static func method(_ name: NameBytes) -> NameBytes {
    guard name.at(1) == UInt8(ascii: "["), let space = name.firstIndex(of: 0x20), space > 2,
      name.last == UInt8(ascii: "]")
    else { return name }
    let classEnd = name[..<space].firstIndex(of: UInt8(ascii: "(")) ?? space
    let word = NameBytes(name[2..<classEnd])
    let known = publicName(of: word)
    guard let owner = known ?? (collections.contains(word) ? word : nil) else { return name }
    let selector = NameBytes(name[(space + 1)..<(name.count - 1)])
    return name[..<2] + owner + name[classEnd...space]
      + (collections.contains(owner) ? subscripts[selector] ?? selector : selector)
      + [UInt8(ascii: "]")]
  }

  /// The public class; `nil` for any other name.
  static func publicName(of word: NameBytes) -> NameBytes? {
    if let known = classes[word] { return known }
    // Classes that the runtime derives from one of the app's.
    if word.has("NSKVONotifying_"), word.count > 15 { return word.from(15) }
    if word.last == UInt8(ascii: "_"), let middle = word.firstIndex(of: UInt8(ascii: "_")),
      middle > 0, word.count == 2 * middle + 2,
      word[..<middle] == word[(middle + 1)..<(word.count - 1)]
    {
      return NameBytes(word[..<middle])
    }
    return nil
  }

  private static let collections: Set<NameBytes> = [
    Array("NSArray".utf8), Array("NSDictionary".utf8), Array("NSOrderedSet".utf8),
    Array("NSMutableArray".utf8), Array("NSMutableDictionary".utf8),
  ]

  /// Methods called by subscripts, and the equivalent method of each.
  private static let subscripts: [NameBytes: NameBytes] = [
    "objectAtIndexedSubscript:": "objectAtIndex:", "objectForKeyedSubscript:": "objectForKey:",
    "setObject:forKeyedSubscript:": "setObject:forKey:",
    "setObject:atIndexedSubscript:": "replaceObjectAtIndex:withObject:",
  ].reduce(into: [:]) { $0[Array($1.key.utf8)] = Array($1.value.utf8) }

  private static let classes: [NameBytes: NameBytes] = [
    (
      "NSArray",
      """
      __NSArrayI __NSArrayM __NSArray0 __NSSingleObjectArrayI __NSFrozenArrayM __NSArrayI_Transfer
      __NSCFArray __NSPlaceholderArray __NSArrayReversed _NSConstantArray NSConstantArray
      __NSOrderedSetArrayProxy _NSCallStackArray _PFArray _PFBatchFaultingArray
      __SwiftDeferredNSArray __SwiftNativeNSArrayWithContiguousStorage
      """
    ),
    (
      "NSDictionary",
      """
      __NSDictionaryI __NSDictionaryM __NSDictionary0 __NSSingleEntryDictionaryI
      __NSFrozenDictionaryM __NSCFDictionary __NSPlaceholderDictionary NSConstantDictionary
      _NSConstantDictionary _NSNestedDictionary NSSharedKeyDictionary
      _SwiftDeferredNSDictionary
      """
    ),
    (
      "NSSet",
      """
      __NSSetI __NSSetM __NSSet0 __NSSingleObjectSetI __NSFrozenSetM __NSCFSet __NSPlaceholderSet
      NSConcreteSet _NSFaultingMutableSet _SwiftDeferredNSSet
      """
    ),
    ("NSOrderedSet", "__NSOrderedSetI __NSOrderedSetM __NSPlaceholderOrderedSet"),
    (
      "NSString",
      """
      __NSCFString __NSCFConstantString NSTaggedPointerString NSPathStore2 __NSLocalizedString
      NSPlaceholderString NSPlaceholderMutableString __NSStringM _NSBPlistMappedString
      __StringStorage __SharedStringStorage NSBigMutableString
      """
    ),
    ("NSNumber", "__NSCFNumber __NSCFBoolean NSPlaceholderNumber NSConstantIntegerNumber"),
    ("NSValue", "NSConcreteValue NSPlaceholderValue"),
    (
      "NSData",
      """
      _NSInlineData NSConcreteData NSConcreteMutableData __NSCFData _NSZeroData _NSPlaceholderData
      NSPlaceholderData NSSubrangeData _NSClrDt __NSSwiftData
      """
    ),
    ("NSDate", "__NSDate __NSTaggedDate __NSPlaceholderDate"),
    ("NSTimer", "__NSCFTimer"), ("NSError", "__NSCFError __SwiftNativeNSError"),
    ("NSLocale", "__NSCFLocale _NSSwiftLocale"), ("NSCalendar", "__NSCFCalendar _NSSwiftCalendar"),
    ("NSTimeZone", "__NSTimeZone __NSPlaceholderTimeZone _NSSwiftTimeZone"),
    ("NSCharacterSet", "__NSCFCharacterSet NSPlaceholderCharacterSet"),
    (
      "NSAttributedString",
      """
      NSConcreteAttributedString NSConcreteMutableAttributedString __NSCFAttributedString
      """
    ),
    ("NSNotification", "NSConcreteNotification"), ("NSMapTable", "NSConcreteMapTable"),
    ("NSHashTable", "NSConcreteHashTable"), ("NSScanner", "NSConcreteScanner"),
    (
      "NSURLSessionTask",
      """
      __NSCFLocalSessionTask __NSCFLocalDataTask __NSCFLocalUploadTask __NSCFLocalDownloadTask
      __NSCFURLLocalSessionConnection __NSCFBackgroundDownloadTask __NSCFBackgroundUploadTask
      """
    ),
    (
      "NSBlock",
      "__NSMallocBlock__ __NSGlobalBlock__ __NSStackBlock__ __NSMallocBlock __NSGlobalBlock"
    ),
  ].reduce(into: [:]) { table, line in
    for word in line.1.split(whereSeparator: \.isWhitespace) {
      table[Array(word.utf8)] = Array(line.0.utf8)
    }
  }
}
