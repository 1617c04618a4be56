;; The inner loop of the face search: how alike one embedding is to each of many, four floats at a time.
(module
  (memory (export "memory") 1 65536)

  ;; Writes the dot product of the query with each of `count` vectors to `products`, one float after the other.
  ;; All places are byte offsets into the memory; `vectorBytes` is a multiple of 64.
  (func (export "multiply")
    (param $query i32) (param $vectors i32) (param $vectorBytes i32) (param $count i32) (param $products i32)
    (local $place i32)
    (local $end i32)
    ;; Four sums, so that an addition need not wait for the one before it.
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $eachVector
      (local.set $place (local.get $query))
      (local.set $end (i32.add (local.get $query) (local.get $vectorBytes)))
      (local.set $sum0 (v128.const f32x4 0 0 0 0))
      (local.set $sum1 (v128.const f32x4 0 0 0 0))
      (local.set $sum2 (v128.const f32x4 0 0 0 0))
      (local.set $sum3 (v128.const f32x4 0 0 0 0))

      (loop $each16Floats
        (local.set $sum0 (f32x4.add (local.get $sum0)
          (f32x4.mul (v128.load (local.get $place)) (v128.load (local.get $vectors)))))
        (local.set $sum1 (f32x4.add (local.get $sum1)
          (f32x4.mul (v128.load offset=16 (local.get $place)) (v128.load offset=16 (local.get $vectors)))))
        (local.set $sum2 (f32x4.add (local.get $sum2)
          (f32x4.mul (v128.load offset=32 (local.get $place)) (v128.load offset=32 (local.get $vectors)))))
        (local.set $sum3 (f32x4.add (local.get $sum3)
          (f32x4.mul (v128.load offset=48 (local.get $place)) (v128.load offset=48 (local.get $vectors)))))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 64)))
        (local.set $place (i32.add (local.get $place) (i32.const 64)))
        (br_if $each16Floats (i32.lt_u (local.get $place) (local.get $end))))

      (local.set $sum0 (f32x4.add
        (f32x4.add (local.get $sum0) (local.get $sum1))
        (f32x4.add (local.get $sum2) (local.get $sum3))))
      (f32.store (local.get $products)
        (f32.add
          (f32.add (f32x4.extract_lane 0 (local.get $sum0)) (f32x4.extract_lane 1 (local.get $sum0)))
          (f32.add (f32x4.extract_lane 2 (local.get $sum0)) (f32x4.extract_lane 3 (local.get $sum0)))))

      (local.set $products (i32.add (local.get $products) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $eachVector (local.get $count)))))
