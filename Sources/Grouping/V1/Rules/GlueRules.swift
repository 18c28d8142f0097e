extension RuleListsV1 {
  /// Indirection: what stands between two functions that somebody wrote.
  static let glue = RuleListV1(
    name: "glue.rules",
    text: """
      # C++ standard library, and Rust's, whose paths begin alike
      std::*
      __gnu_cxx::*
      __gnu_parallel::*
      boost::function*
      boost::_bi::*
      boost::_mfi::*
      boost::bind*
      boost::detail::*
      boost::signals2::*
      boost::signal*
      boost::any*
      boost::variant*
      boost::shared_ptr*
      boost::scoped_ptr*
      boost::intrusive_ptr*
      boost::weak_ptr*
      boost::asio::*
      boost::lambda::*
      boost::mpl::*
      boost::unordered*
      boost::foreach_detail_*
      sigc::*
      absl::*
      folly::Function*
      fmt::*
      base::internal::Invoker*
      base::internal::FunctorTraits*
      base::internal::InvokeHelper*
      base::internal::BindState*
      base::OnceCallback*
      base::RepeatingCallback*
      base::Callback*
      base::Bind*
      RefPtr<T>::*
      nsCOMPtr<T>::*
      nsTArray*
      QtPrivate::*
      QMetaObject::*
      QMetaMethod::*
      QMetaCallEvent::*
      QSlotObjectBase::*
      QObject::event
      QObject::qt_metacall
      QObjectPrivate::*
      doActivate<T>
      QList<T>::*
      QVector<T>::*
      QMap<T>::*
      QHash<T>::*
      QSharedPointer<T>::*
      QString::*
      QByteArray::*
      QScopedPointer<T>::*
      QPointer<T>::*
      *::qt_static_metacall
      *::qt_metacall
      # GLib's signals, closures and containers
      g_signal_emit*
      g_signal_emitv
      signal_emit_unlocked_R*
      signal_emit_valist_unlocked
      g_closure_invoke
      g_cclosure_marshal_*
      _g_cclosure_marshal_*
      g_cclosure_marshal_generic*
      _g_closure_invoke_va
      g_type_class_meta_marshal*
      g_type_iface_meta_marshal*
      marshal_*  module:libg*
      _gtk_marshal_*
      gtk_marshal_*
      gtk_signal_emit*
      _gtk_*marshal*
      gdk_marshal_*
      g_object_notify*
      g_object_dispatch_properties_changed
      g_object_new*
      g_object_newv
      g_object_set*
      g_object_get*
      g_object_constructor
      g_object_unref
      g_object_ref
      g_object_run_dispose
      g_object_real_dispose
      g_object_add_weak_pointer
      g_object_remove_weak_pointer
      g_object_weak_*
      g_object_notify_queue_*
      g_value_*
      g_list_*
      g_slist_*
      g_hash_table_*
      g_datalist_*
      g_queue_*
      g_array_*
      g_ptr_array_*
      g_type_create_instance
      g_type_free_instance
      g_param_spec_*
      g_weak_ref_*
      g_simple_async_result_complete*
      g_task_return*
      g_clear_object
      g_clear_pointer
      weak_refs_notify
      ffi_call*
      ffi_call_*
      ffi_closure_*
      # Objective-C
      objc_msgSend
      objc_msgSend_*
      objc_msgSendSuper*
      objc_msgLookup*
      _objc_msgSend*
      objc_retain*
      objc_release*
      objc_autorelease*
      objc_storeStrong
      objc_storeWeak*
      objc_loadWeak*
      objc_destroyWeak
      objc_opt_*
      objc_object::*
      objc_setProperty*
      objc_getProperty*
      objc_initializeClassPair*
      lookUpImpOrForward
      initializeNonMetaClass
      _class_initialize
      callInitialize
      CALLING_SOME_+initialize_METHOD
      _objc_rootRelease*
      _objc_rootDealloc*
      _objc_release*
      _objc_retain*
      object_cxxDestruct*
      object_dispose
      objc_destructInstance
      -[* .cxx_destruct]
      AutoreleasePoolPage::*
      (anonymous namespace)::AutoreleasePoolPage::*
      objc_autoreleasePoolPop
      _objc_autoreleasePoolPop
      CFRetain
      CFRelease
      _CFRelease
      _CFRetain
      -[NSInvocation invoke*
      __invoking___
      -[NSObject performSelector:*
      -[NSObject(NSObject) performSelector:*
      -[NSObject(NSThreadPerformAdditions) *
      __copy_helper_block*
      __destroy_helper_block*
      __Block_byref_object_*
      _Block_object_dispose
      _Block_release
      _Block_copy
      _call_dispose_helpers_*
      -[__NSArray* enumerateObjects*
      -[NSArray enumerateObjects*
      -[__NSDictionary* enumerateKeys*
      -[NSSet enumerateObjects*
      __NSARRAY_IS_CALLING_OUT_TO_A_BLOCK__*
      __NSDICTIONARY_IS_CALLING_OUT_TO_A_BLOCK__*
      __NSSET_IS_CALLING_OUT_TO_A_BLOCK__*
      -[NSNotificationCenter post*
      __CFNOTIFICATIONCENTER_IS_*
      _CFXNotificationPost
      CFXNotificationPost
      _CFXRegistrationPost*
      ___CFXRegistrationPost*
      ___CFXNotificationPost*
      -[_CFXNotificationRegistrar *
      -[NSObject(NSKeyValueObserverNotification) *
      NSKeyValue*
      _NSSet*ValueAndNotify
      _NSKeyValue*
      -[UIApplication sendAction:*
      -[NSApplication(NSResponder) sendAction:*
      -[UIControl sendAction:*
      -[UIControl _sendActions*
      -[UIGestureRecognizerTarget *
      _UIGestureRecognizerSendTargetActions
      _UIGestureRecognizerSendActions
      # Swift
      reabstraction thunk*
      thunk for *
      thunk
      outlined *
      value witness*
      type metadata *
      lazy protocol witness*
      lazy cache variable*
      protocol witness table*
      witness table*
      associated type*
      metadata *
      destroy for *
      assignWithCopy for *
      initializeWithCopy for *
      initializeBufferWithCopyOfBuffer for *
      getEnumTag*
      storeEnumTag*
      coroutine continuation*
      block_copy_helper*
      block_destroy_helper*
      objectdestroy*
      closure  notapp
      implicit closure
      swift_retain*
      swift_release*
      swift_bridgeObject*
      swift_slowAlloc*
      swift_slowDealloc
      swift_allocObject
      swift_deallocClassInstance
      swift_deallocPartialClassInstance
      swift_isUniquelyReferenced*
      swift_beginAccess*
      swift_endAccess
      swift_arrayInitWithCopy
      swift_arrayDestroy
      swift_arrayAssign*
      swift_getObjectType
      swift_getGenericMetadata
      swift_getAssociatedType*
      swift_getWitnessTable
      swift_getTypeByMangledName*
      swift_getSingletonMetadata
      swift_checkMetadataState
      swift_once
      swift_initOnce
      swift_weak*
      swift_unowned*
      swift_cvw_*
      swift_generic_*
      swift_dynamicCast*
      swift::swift_*
      swift::RefCounts<T>*
      swift::metadataimpl::*
      _swift_release_dealloc
      _swift_release_
      _swift_retain_
      __swift_*
      $swift_*
      Swift.Array*
      Swift.ContiguousArray*
      Swift.ArraySlice*
      Swift.Dictionary*
      Swift.Set*
      Swift.String*
      Swift.Substring*
      Swift.Optional*
      Swift.Result*
      Swift.Sequence*
      Swift.Collection*
      Swift.BidirectionalCollection*
      Swift.MutableCollection*
      Swift.RangeReplaceableCollection*
      Swift.LazyMap*
      Swift.LazyFilter*
      Swift.Range*
      Swift.ClosedRange*
      Swift.Unsafe*
      Swift.ManagedBuffer*
      Swift.Int*
      Swift.UInt*
      Swift.Double*
      Swift.Float*
      Swift.FixedWidthInteger*
      Swift.BinaryInteger*
      Swift.SignedInteger*
      Swift.Numeric*
      Swift.Comparable*
      Swift.Equatable*
      Swift.Hashable*
      Swift.Hasher*
      Swift.RawRepresentable*
      Swift.Any*
      Swift.KeyPath*
      Swift.Codable*
      Swift.Encodable*
      Swift.Decodable*
      Swift.Keyed*
      Swift.Unkeyed*
      Swift.SingleValue*
      Swift.with*
      Swift.__*
      Swift._*
      Swift.swap*
      Swift.zip*
      Swift.min*
      Swift.max*
      Swift.*
      Swift.Task<T>*
      closure in Swift.*
      Array.*  notapp
      ContiguousArray.*  notapp
      _ContiguousArrayBuffer.*
      _ContiguousArrayBuffer<T>.*
      _ContiguousArrayStorage<T>.*
      _ArrayBuffer.*
      _ArrayBuffer<T>.*
      _ArrayBufferProtocol.*
      _ArrayProtocol.*
      _ArrayProtocol<T>.*
      _SliceBuffer.*
      _SliceBuffer<T>.*
      _BridgeStorage.*
      _BridgeStorage<T>.*
      _HashTable.*
      _DictionaryStorage.*
      _DictionaryStorage<T>.*
      _SetStorage.*
      _SetStorage<T>.*
      __RawDictionaryStorage.*
      __RawSetStorage.*
      _StringGuts.*
      _StringObject.*
      _SmallString.*
      __StringStorage.*
      __SharedStringStorage.*
      _UIntBuffer.*
      _copyCollectionToContiguousArray<T>(*
      _copySequenceToContiguousArray<T>(*
      Data._Representation.*
      Data.InlineData.*
      Data.InlineSlice.*
      Data.LargeSlice.*
      __DataStorage.*
      Dictionary.*  notapp
      _NativeDictionary.*
      _NativeDictionary<T>.*
      Set.*  notapp
      _NativeSet.*
      _NativeSet<T>.*
      String.*  notapp
      Substring.*  notapp
      Optional.*  notapp
      Sequence.*  notapp
      Collection.*  notapp
      BidirectionalCollection.*  notapp
      RangeReplaceableCollection.*  notapp
      MutableCollection.*  notapp
      Range.*  notapp
      Unsafe*Pointer.*
      UnsafeBufferPointer.*
      UnsafeMutableBufferPointer.*
      Int.*  notapp
      closure in Sequence.*  notapp
      closure in Collection.*  notapp
      FixedWidthInteger.*  notapp
      BinaryInteger.*  notapp
      _Concurrency.*
      # Rust
      core::*
      alloc::*
      hashbrown::*
      <core::*
      <alloc::*
      <std::*
      <hashbrown::*
      <&mut *
      <& *
      <T as *
      <F as *
      <I as *
      <S as *
      <(* as *
      <[T]* as *
      # Java and Kotlin
      java.lang.reflect.*
      java.lang.invoke.*
      jdk.internal.reflect.*
      sun.reflect.*
      *$$Lambda.*
      *$$Proxy.*
      *.$Proxy.*
      com.sun.proxy.*
      jdk.proxy*
      net.sf.cglib.*
      org.springframework.cglib.*
      org.springframework.aop.*
      net.bytebuddy.*
      javassist.*
      kotlin.coroutines.*
      kotlinx.coroutines.*
      java.security.AccessController.*
      org.mockito.internal.creation.*
      org.mockito.internal.handler.*
      org.mockito.cglib.*
      groovy.lang.*
      org.codehaus.groovy.runtime.*
      scala.runtime.*
      scala.collection.*
      scala.Function*
      # .NET
      System.Runtime.CompilerServices.*
      System.Reflection.*
      System.RuntimeMethodHandle.*
      System.RuntimeType.*
      System.Delegate.*
      System.MulticastDelegate.*
      System.EventHandler*
      System.Action*.Invoke
      System.Func*.Invoke
      System.Linq.*
      System.Collections.*
      System.Activator.*
      # Go, JavaScript
      reflect.*
      runtime.call*
      sync.*
      sort.*
      Promise.all
      Promise.*
      new Promise
      Array.forEach
      Array.map
      Array.filter
      Array.reduce
      Function.apply
      Function.call
      Reflect.apply
      Generator.next
      asyncGeneratorStep
      __awaiter
      # operators and containers, as tools name them that know no classes
      operator->
      operator*
      operator()
      operator[]
      operator bool
      at  notapp
      bucket_count  notapp
      emplace_back  notapp
      push_back  notapp
      __emplace_unique_key_args<T>  notapp
      """)
}
